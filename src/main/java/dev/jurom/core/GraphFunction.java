// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** What a function node of a graph does. Stands for {@code doca_graph_user_node_cb_t}. */
@FunctionalInterface
public interface GraphFunction {

    /**
     * Runs, inside {@link ProgressEngine#progress()}, which rethrows what it throws. The instance
     * then fails, and nodes that depend on this one do not run.
     *
     * @param instance which has come to this node
     */
    void run(GraphInstance instance);
}

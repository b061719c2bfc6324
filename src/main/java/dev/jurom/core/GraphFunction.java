// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/** The function of a function node. Stands for {@code doca_graph_user_node_cb_t}. */
@FunctionalInterface
public interface GraphFunction {

    /**
     * Runs the node, inside {@link ProgressEngine#progress()}, which rethrows exceptions of this
     * method. After an exception the instance fails, and nodes that depend on this one do not run.
     *
     * @param instance the instance that has reached the node
     */
    void run(GraphInstance instance);
}

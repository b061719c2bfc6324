// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A node of a graph: a task, a function or a graph. Stands for {@code struct doca_graph_node}. */
public final class GraphNode {

    /** The kind of a node. */
    public enum Kind {

        /** Runs a task of a context, which each instance sets. */
        TASK,

        /** Runs a function, the same for all instances. */
        FUNCTION,

        /** Runs an instance of another graph, which each instance sets. */
        GRAPH
    }

    private final Graph graph;
    private final MemorySegment handle;
    private final Kind kind;
    private final @Nullable GraphFunction function; // null unless this is a function node

    GraphNode(Graph graph, MemorySegment handle, Kind kind, @Nullable GraphFunction function) {
        this.graph = graph;
        this.handle = handle;
        this.kind = kind;
        this.function = function;
    }

    /**
     * Returns the graph that this node belongs to.
     *
     * @return the graph, always the same
     */
    public Graph graph() {
        return graph;
    }

    /**
     * Returns the kind of this node.
     *
     * @return the kind, always the same
     */
    public Kind kind() {
        return kind;
    }

    MemorySegment handle() {
        return handle;
    }

    /** Returns the function of a function node, or null. */
    @Nullable
    GraphFunction function() {
        return function;
    }
}

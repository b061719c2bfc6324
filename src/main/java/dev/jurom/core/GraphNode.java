// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A node of a graph: a task, a function or a graph. Stands for {@code struct doca_graph_node}. */
public final class GraphNode {

    /** What a node runs. */
    public enum Kind {

        /** A task of a context, which each instance sets. */
        TASK,

        /** A function of the graph's. */
        FUNCTION,

        /** An instance of another graph, which each instance sets. */
        GRAPH
    }

    private final Graph graph;
    private final MemorySegment handle;
    private final Kind kind;
    private final @Nullable GraphFunction function; // null unless that is what it runs

    GraphNode(Graph graph, MemorySegment handle, Kind kind, @Nullable GraphFunction function) {
        this.graph = graph;
        this.handle = handle;
        this.kind = kind;
        this.function = function;
    }

    /**
     * The graph that this is a node of.
     *
     * @return the same for life
     */
    public Graph graph() {
        return graph;
    }

    /**
     * What this runs.
     *
     * @return the same for life
     */
    public Kind kind() {
        return kind;
    }

    MemorySegment handle() {
        return handle;
    }

    /** What this runs, if it is a function; else null. */
    @Nullable
    GraphFunction function() {
        return function;
    }
}

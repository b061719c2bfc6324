// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.DirectCalls;
import dev.jurom.core.internal.SlotTable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A graph of tasks and functions with dependencies between them. Stands for
 * {@code struct doca_graph}; {@link #close()} stands for {@code doca_graph_destroy}.
 *
 * <p>Nodes are added while the graph is stopped; while it is started, instances of it can run. A
 * graph may be used only by the thread that owns its engine.
 */
public final class Graph extends Handle {

    // INVALID_VALUE is the error of earlier versions of the library.
    private static final Set<DocaError> NOT_READY = EnumSet.of(DocaError.BAD_STATE, DocaError.INVALID_VALUE);

    private final ProgressEngine engine;
    private final MemorySegment handle;
    private final long ticket;
    private final List<GraphNode> nodes = new ArrayList<>();
    private final SlotTable<GraphInstance> instances = new SlotTable<>();
    private boolean started;

    private Graph(ProgressEngine engine, MemorySegment handle) {
        super(engine);
        this.engine = engine;
        this.handle = handle;
        this.ticket = Callbacks.register(this);
    }

    /**
     * Creates a stopped graph without nodes. Stands for {@code doca_graph_create} and
     * {@code doca_graph_set_conf}.
     *
     * @param engine the engine that progresses it
     * @param instances the maximum number of instances, at least 1
     * @return the graph
     * @throws IllegalArgumentException if {@code instances} is less than 1
     * @throws DocaException if the library cannot create it
     */
    public static Graph create(ProgressEngine engine, int instances) {
        Count.requireWithin("The number of instances", instances, 1, Integer.MAX_VALUE);
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_graph_create(engine.handle(), result), "doca_graph_create", engine);
            var graph = new Graph(engine, result.get(ValueLayout.ADDRESS, 0));
            try {
                check(
                        doca_h.doca_graph_set_conf(
                                graph.handle, Callbacks.OfGraphs.COMPLETED, Callbacks.OfGraphs.FAILED, instances),
                        "doca_graph_set_conf",
                        graph);
                check(
                        DirectCalls.setGraphUserData(graph.handle.address(), graph.ticket),
                        "doca_graph_set_user_data",
                        graph);
            } catch (RuntimeException | Error e) {
                graph.close();
                throw e;
            }
            return graph;
        }
    }

    /**
     * Adds a node that runs a task. Stands for {@code doca_graph_node_create_from_ctx}.
     *
     * @param context the context of the task, connected to the engine of this graph
     * @return the node
     * @throws DocaException with {@code BAD_STATE} if this graph is started
     */
    public GraphNode addTask(Context context) {
        return add(
                GraphNode.Kind.TASK,
                null,
                context,
                result -> doca_h.doca_graph_node_create_from_ctx(handle, context.handle(), result),
                "doca_graph_node_create_from_ctx");
    }

    /**
     * Adds a node that runs a function. Stands for {@code doca_graph_node_create_from_user} and
     * {@code doca_graph_instance_set_user_node_data}.
     *
     * @param function the function to run
     * @return the node
     * @throws DocaException with {@code BAD_STATE} if this graph is started
     */
    public GraphNode addFunction(GraphFunction function) {
        return add(
                GraphNode.Kind.FUNCTION,
                function,
                null,
                result -> doca_h.doca_graph_node_create_from_user(handle, Callbacks.OfGraphs.FUNCTION, result),
                "doca_graph_node_create_from_user");
    }

    /**
     * Adds a node that runs another graph. Stands for {@code doca_graph_node_create_from_graph}.
     *
     * @param graph the other graph, started and of the same engine
     * @return the node
     * @throws DocaException with {@code BAD_STATE} if this graph is started or {@code graph} is not,
     *         {@code NOT_PERMITTED} if {@code graph} is this graph or contains it as a node,
     *         {@code INVALID_VALUE} if it belongs to another engine
     */
    public GraphNode addGraph(Graph graph) {
        return add(
                GraphNode.Kind.GRAPH,
                null,
                graph,
                result -> doca_h.doca_graph_node_create_from_graph(handle, graph.handle(), result),
                "doca_graph_node_create_from_graph");
    }

    @FunctionalInterface
    private interface NodeMaker {
        int make(MemorySegment result);
    }

    private GraphNode add(
            GraphNode.Kind kind,
            @Nullable GraphFunction function,
            @Nullable Handle needed,
            NodeMaker maker,
            String name) {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    maker.make(result),
                    name,
                    this,
                    DocaError.BAD_STATE,
                    "Stop a graph before adding nodes to it, and start a graph before adding it to another.");
            if (needed != null) {
                dependOn(needed);
            }
            var node = new GraphNode(this, result.get(ValueLayout.ADDRESS, 0), kind, function);
            nodes.add(node);
            return node;
        }
    }

    /**
     * Adds a dependency between two nodes. Stands for {@code doca_graph_add_dependency}.
     *
     * @param from the node that runs first
     * @param to the node that runs after {@code from} has completed
     * @return this
     * @throws IllegalArgumentException if a node does not belong to this graph
     * @throws DocaException with {@code BAD_STATE} if this graph is started, {@code ALREADY_EXIST}
     *         if the dependency exists, {@code NOT_PERMITTED} if it would form a cycle
     */
    public Graph addDependency(GraphNode from, GraphNode to) {
        requireUsable();
        requireOwn(from);
        requireOwn(to);
        check(
                doca_h.doca_graph_add_dependency(handle, from.handle(), to.handle()),
                "doca_graph_add_dependency",
                this,
                DocaError.NOT_PERMITTED,
                "Dependencies must not form a cycle.");
        return this;
    }

    /**
     * Starts this graph. Stands for {@code doca_graph_start}.
     *
     * @return this
     * @throws DocaException with {@code BAD_STATE} if this graph is started, no node runs a task, or
     *         a graph in it is not started
     */
    public Graph start() {
        requireUsable();
        check(
                doca_h.doca_graph_start(handle),
                "doca_graph_start",
                this,
                NOT_READY,
                "It must be stopped, and needs a node that runs a task; start the graphs in it first.");
        started = true;
        return this;
    }

    /**
     * Stops this graph. Stands for {@code doca_graph_stop}.
     *
     * @throws DocaException with {@code IN_USE} if it has instances or is part of a started graph
     */
    public void stop() {
        requireUsable();
        check(
                doca_h.doca_graph_stop(handle),
                "doca_graph_stop",
                this,
                DocaError.IN_USE,
                "Close its instances and stop the graphs that contain it first.");
        started = false;
    }

    /**
     * Creates an instance, which holds the tasks that the nodes run. Stands for
     * {@code doca_graph_instance_create}.
     *
     * @return the instance, which the caller must close
     * @throws DocaException with {@code BAD_STATE} if this graph is not started, {@code NO_MEMORY}
     *         if it has the maximum number of instances
     */
    public GraphInstance instance() {
        requireUsable();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(doca_h.doca_graph_instance_create(handle, result), "doca_graph_instance_create", this);
            return new GraphInstance(this, result.get(ValueLayout.ADDRESS, 0));
        }
    }

    /**
     * Returns the engine that progresses this graph.
     *
     * @return the engine, always the same
     */
    public ProgressEngine engine() {
        return engine;
    }

    /** Returns the native graph. */
    MemorySegment handle() {
        requireUsable();
        return handle;
    }

    List<GraphNode> nodes() {
        return nodes;
    }

    void requireOwn(GraphNode node) {
        if (node.graph() != this) {
            throw new IllegalArgumentException("the node belongs to another graph");
        }
    }

    long addInstance(GraphInstance instance) {
        return instances.add(instance);
    }

    void removeInstance(long instanceTicket) {
        instances.remove(instanceTicket);
    }

    void completed(long instanceTicket, boolean successful) {
        var instance = instances.get(instanceTicket);
        if (instance != null) {
            instance.completed(successful);
        }
    }

    /** Stops this graph if it is started, and closes it. */
    @Override
    public void close() {
        if (isOpen() && started) {
            requireOwner();
            synchronized (this) {
                requireNoDependents();
            }
            stop();
        }
        super.close();
    }

    @Override
    void requireOwner() {
        engine.requireOwner();
    }

    @Override
    void destroy() {
        check(doca_h.doca_graph_destroy(handle), "doca_graph_destroy", this);
        Callbacks.unregister(ticket);
    }

    @Override
    public String toString() {
        return "graph of " + nodes.size() + " nodes";
    }
}

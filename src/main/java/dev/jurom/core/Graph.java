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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks and functions, and which come before which. Stands for {@code struct doca_graph}.
 *
 * <p>Nodes are added while it is stopped; while it is started, it has instances that run. It
 * belongs to its engine's thread. {@link #close()} stands for {@code doca_graph_destroy}.
 */
public final class Graph extends Handle {

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
     * Makes a graph without nodes, stopped. Stands for {@code doca_graph_create} and
     * {@code doca_graph_set_conf}.
     *
     * @param engine what progresses it
     * @param instances how many instances it can have at a time: at least 1
     * @return the graph
     * @throws IllegalArgumentException if the number is less
     * @throws DocaException if the library cannot make it
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
                                graph.handle, Callbacks.GRAPH_COMPLETED, Callbacks.GRAPH_FAILED, instances),
                        "doca_graph_set_conf",
                        graph);
                check(
                        DirectCalls.setGraphUserData(graph.handle.address(), graph.ticket),
                        "doca_graph_set_user_data",
                        graph);
            } catch (RuntimeException e) {
                graph.close();
                throw e;
            }
            return graph;
        }
    }

    /**
     * Adds a node that runs a task. Stands for {@code doca_graph_node_create_from_ctx}.
     *
     * @param context whose task it is; of this graph's engine
     * @return the node
     * @throws DocaException with {@code BAD_STATE} if this is started
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
     * @param function what to run
     * @return the node
     * @throws DocaException with {@code BAD_STATE} if this is started
     */
    public GraphNode addFunction(GraphFunction function) {
        return add(
                GraphNode.Kind.FUNCTION,
                function,
                null,
                result -> doca_h.doca_graph_node_create_from_user(handle, Callbacks.GRAPH_FUNCTION, result),
                "doca_graph_node_create_from_user");
    }

    /**
     * Adds a node that runs another graph. Stands for {@code doca_graph_node_create_from_graph}.
     *
     * @param graph the other; of the same engine
     * @return the node
     * @throws DocaException with {@code BAD_STATE} if this is started, {@code INVALID_VALUE} if the
     *         other is this one, has it as a node, or is of another engine
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
            check(maker.make(result), name, this);
            if (needed != null) {
                dependOn(needed);
            }
            var node = new GraphNode(this, result.get(ValueLayout.ADDRESS, 0), kind, function);
            nodes.add(node);
            return node;
        }
    }

    /**
     * Has a node wait for another. Stands for {@code doca_graph_add_dependency}.
     *
     * @param from the node that comes before
     * @param to the node that comes after
     * @return this
     * @throws IllegalArgumentException if one is not a node of this graph
     * @throws DocaException with {@code BAD_STATE} if this is started, {@code ALREADY_EXIST} if it
     *         waits already
     */
    public Graph addDependency(GraphNode from, GraphNode to) {
        requireUsable();
        requireOwn(from);
        requireOwn(to);
        check(doca_h.doca_graph_add_dependency(handle, from.handle(), to.handle()), "doca_graph_add_dependency", this);
        return this;
    }

    /**
     * Starts this graph. Stands for {@code doca_graph_start}.
     *
     * @return this
     * @throws DocaException with {@code INVALID_VALUE} if no node runs a task, or nodes wait for
     *         each other in a circle; {@code BAD_STATE} if it is started or a graph in it is not
     */
    public Graph start() {
        requireUsable();
        check(
                doca_h.doca_graph_start(handle),
                "doca_graph_start",
                this,
                DocaError.INVALID_VALUE,
                "It needs a node that runs a task, and no nodes that wait for each other in a" + " circle.");
        started = true;
        return this;
    }

    /**
     * Stops this graph. Stands for {@code doca_graph_stop}.
     *
     * @throws DocaException with {@code IN_USE} if it has instances or is in a started graph
     */
    public void stop() {
        requireUsable();
        check(
                doca_h.doca_graph_stop(handle),
                "doca_graph_stop",
                this,
                DocaError.IN_USE,
                "Close its instances, and stop the graphs that it is in, first.");
        started = false;
    }

    /**
     * Makes an instance: what the nodes work on. Stands for {@code doca_graph_instance_create}.
     *
     * @return the instance, to be filled, submitted and closed
     * @throws DocaException with {@code BAD_STATE} if this is not started, {@code NO_MEMORY} if it
     *         has as many as was set
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
     * The engine that progresses this graph.
     *
     * @return the same for life
     */
    public ProgressEngine engine() {
        return engine;
    }

    /** The native graph. */
    MemorySegment handle() {
        requireUsable();
        return handle;
    }

    List<GraphNode> nodes() {
        return nodes;
    }

    void requireOwn(GraphNode node) {
        if (node.graph() != this) {
            throw new IllegalArgumentException("The node is not one of this graph's");
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

    /** Closes this graph; stops it if it is started. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.DirectCalls;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tasks and instances that the nodes of a graph run, and the state of one run. Stands for
 * {@code struct doca_graph_instance}; {@link #close()} stands for
 * {@code doca_graph_instance_destroy}.
 *
 * <p>While an instance is in flight, so are its tasks; their own listeners are not called. An
 * instance may be used only by the thread that owns the engine of its graph.
 */
public final class GraphInstance extends Handle {

    private enum State {
        READY,
        IN_FLIGHT,
        SUCCEEDED,
        FAILED
    }

    private final Graph graph;
    private final MemorySegment handle;
    private final long ticket;
    private final Map<GraphNode, Task> tasks = new HashMap<>();
    private final Map<GraphNode, GraphInstance> graphs = new HashMap<>();
    private final List<Step> functions = new ArrayList<>(); // registered under the cookies of their callbacks
    private State state = State.READY;
    private @Nullable Consumer<? super GraphInstance> listener;

    /** A function node of an instance, registered under the cookie of its callback. */
    static final class Step {

        private final GraphInstance instance;
        private final GraphFunction function;
        private final long ticket;

        private Step(GraphInstance instance, GraphFunction function) {
            this.instance = instance;
            this.function = function;
            this.ticket = Callbacks.register(this);
        }

        void run() {
            function.run(instance);
        }

        ProgressEngine engine() {
            return instance.graph.engine();
        }
    }

    GraphInstance(Graph graph, MemorySegment handle) {
        super(graph);
        this.graph = graph;
        this.handle = handle;
        this.ticket = graph.addInstance(this);
        DirectCalls.setGraphInstanceUserData(handle.address(), ticket);
        for (var node : graph.nodes()) {
            var function = node.function();
            if (function != null) {
                var step = new Step(this, function);
                functions.add(step);
                check(
                        doca_h.doca_graph_instance_set_user_node_data(
                                handle, node.handle(), MemorySegment.ofAddress(step.ticket)),
                        "doca_graph_instance_set_user_node_data",
                        this);
            }
        }
    }

    /**
     * Sets the task of a node. Stands for {@code doca_graph_instance_set_ctx_node_data}.
     *
     * @param node a task node of this instance's graph
     * @param task a task of the node's context
     * @return this
     * @throws IllegalArgumentException if the node belongs to another graph
     * @throws IllegalStateException if this instance is in flight
     * @throws DocaException with {@code NOT_PERMITTED} if the task belongs to another context,
     *         {@code INVALID_VALUE} if the node is not a task node
     */
    public GraphInstance set(GraphNode node, Task task) {
        requireIdle();
        graph.requireOwn(node);
        task.requireReady();
        check(
                doca_h.doca_graph_instance_set_ctx_node_data(handle, node.handle(), task.handle()),
                "doca_graph_instance_set_ctx_node_data",
                this);
        tasks.put(node, task);
        return this;
    }

    /**
     * Sets the instance of a node. Stands for {@code doca_graph_instance_set_sub_graph_node_data}.
     *
     * @param node a graph node of this instance's graph
     * @param instance an instance of the node's graph
     * @return this
     * @throws IllegalArgumentException if the node belongs to another graph
     * @throws IllegalStateException if this instance is in flight
     * @throws DocaException with {@code NOT_PERMITTED} if {@code instance} belongs to another graph,
     *         {@code INVALID_VALUE} if the node is not a graph node
     */
    public GraphInstance set(GraphNode node, GraphInstance instance) {
        requireIdle();
        graph.requireOwn(node);
        instance.requireUsable();
        check(
                doca_h.doca_graph_instance_set_sub_graph_node_data(handle, node.handle(), instance.handle),
                "doca_graph_instance_set_sub_graph_node_data",
                this);
        var before = graphs.put(node, instance);
        dependOn(instance);
        if (before != null) {
            removeDependency(before);
        }
        return this;
    }

    /**
     * Sets the listener that is called when this instance completes, inside {@code progress()}.
     *
     * @param newListener replaces the previous one; it may submit or close this instance
     * @return this
     */
    public GraphInstance onCompletion(Consumer<? super GraphInstance> newListener) {
        requireUsable();
        listener = newListener;
        return this;
    }

    /**
     * Submits this instance. Does not block. Stands for {@code doca_graph_instance_submit}.
     *
     * @throws IllegalStateException if this instance, or a task or instance of it, is in flight or
     *         closed
     * @throws DocaException with {@code INVALID_VALUE} if a node has no task or instance
     */
    public void submit() {
        requireReady();
        check(
                doca_h.doca_graph_instance_submit(handle),
                "doca_graph_instance_submit",
                this,
                DocaError.INVALID_VALUE,
                "Set the task or instance of every node first.");
        begin();
    }

    private void requireReady() {
        requireIdle();
        tasks.values().forEach(Task::requireReady);
        graphs.values().forEach(GraphInstance::requireReady);
    }

    private void begin() {
        state = State.IN_FLIGHT;
        tasks.values().forEach(Task::begin);
        graphs.values().forEach(GraphInstance::begin);
    }

    private void end(State how) {
        state = how;
        tasks.values().forEach(Task::endWithoutListener);
        graphs.values().forEach(instance -> instance.end(how));
    }

    void completed(boolean successful) {
        end(successful ? State.SUCCEEDED : State.FAILED);
        if (listener != null) {
            listener.accept(this);
        }
    }

    /**
     * Returns whether this instance has completed since it was last submitted.
     *
     * @return true from its completion until it is submitted again
     */
    public boolean isCompleted() {
        return state == State.SUCCEEDED || state == State.FAILED;
    }

    /**
     * Returns whether all nodes have run without an error.
     *
     * @return true if so; false also before this instance has completed
     */
    public boolean isSuccessful() {
        return state == State.SUCCEEDED;
    }

    private void requireIdle() {
        requireUsable();
        if (state == State.IN_FLIGHT) {
            throw new IllegalStateException(this + " is in flight: wait until it completes");
        }
    }

    @Override
    void requireOwner() {
        graph.requireOwner();
    }

    @Override
    void destroy() {
        if (state == State.IN_FLIGHT) {
            throw new IllegalStateException(
                    this + " is in flight: progress its engine until it completes, then close it");
        }
        check(doca_h.doca_graph_instance_destroy(handle), "doca_graph_instance_destroy", this);
        graph.removeInstance(ticket);
        functions.forEach(step -> Callbacks.unregister(step.ticket));
    }

    @Override
    public String toString() {
        return "instance of " + graph;
    }
}

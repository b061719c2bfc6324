// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jurom.abi.doca.doca_graph_user_node_cb_t;
import dev.jurom.abi.doca.doca_mmap_memrange_free_cb_t;
import dev.jurom.core.internal.CompletionArray;
import dev.jurom.core.internal.WeakTable;
import dev.jurom.runtime.internal.Upcall;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * What C calls, rarely: one upcall stub for each type of callback, for the life of the process.
 * Completions of tasks and changes of state come another way, {@link CompletionArray}; the objects
 * that both are about have their tickets here.
 *
 * <p>Nothing that is thrown reaches C, which would end the JVM: it is kept by the progress engine
 * and rethrown by the call that let C run. What C has run before is delivered first.
 *
 * <p>Callbacks that are given a {@code union doca_data} are bound by hand: it comes by value, as
 * one 64-bit integer, and the generated stub would copy it into new memory with every call.
 *
 * <p>Objects are held weakly, so that one that is forgotten can be collected and reported. Nothing
 * can call back by then: that takes a progress engine, which holds its contexts.
 */
final class Callbacks {

    /** For {@code doca_mmap_memrange_free_cb_t}; the cookie is the map's ticket. */
    static final MemorySegment MEMORY_FREED = stub("memoryFreed", doca_mmap_memrange_free_cb_t.descriptor());

    /** For {@code doca_graph_completion_cb_t}, of instances that were successful. */
    static final MemorySegment GRAPH_COMPLETED =
            stub("graphCompleted", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));

    /** For {@code doca_graph_completion_cb_t}, of instances that failed. */
    static final MemorySegment GRAPH_FAILED =
            stub("graphFailed", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));

    /** For {@code doca_graph_user_node_cb_t}; the cookie is the ticket of the instance's step. */
    static final MemorySegment GRAPH_FUNCTION = stub("graphFunction", doca_graph_user_node_cb_t.descriptor());

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.core");

    private static final WeakTable<Object> TARGETS = new WeakTable<>();

    private Callbacks() {}

    private static MemorySegment stub(String method, FunctionDescriptor descriptor) {
        return Upcall.to(MethodHandles.lookup(), method, descriptor);
    }

    /** Gives an object the ticket that its callbacks carry. */
    static long register(Object target) {
        return TARGETS.add(target);
    }

    /** Takes the ticket back; callbacks that still carry it are ignored. */
    static void unregister(long ticket) {
        TARGETS.remove(ticket);
    }

    /** The context with a ticket, or null if it was forgotten or destroyed. */
    static @Nullable Context context(long ticket) {
        return (Context) TARGETS.get(ticket);
    }

    private static void memoryFreed(MemorySegment address, long length, MemorySegment ticket) {
        try {
            var listener = (FreeListener) TARGETS.get(ticket.address());
            if (listener != null) {
                listener.freed();
            }
        } catch (Throwable e) {
            keep(null, e);
        }
    }

    private static void graphCompleted(long instance, long ticket, long graphTicket) {
        graphEnded(ticket, graphTicket, true);
    }

    private static void graphFailed(long instance, long ticket, long graphTicket) {
        graphEnded(ticket, graphTicket, false);
    }

    private static void graphEnded(long ticket, long graphTicket, boolean successful) {
        Graph graph = null;
        try {
            graph = (Graph) TARGETS.get(graphTicket);
            if (graph != null) {
                graph.engine().deliver();
                graph.completed(ticket, successful);
            }
        } catch (Throwable e) {
            keep(graph == null ? null : graph.engine(), e);
        }
    }

    private static int graphFunction(MemorySegment ticket) {
        GraphInstance.Step step = null;
        try {
            step = (GraphInstance.Step) TARGETS.get(ticket.address());
            if (step == null) {
                return DocaError.NOT_FOUND.code();
            }
            step.engine().deliver();
            step.run();
            return DocaError.SUCCESS.code();
        } catch (Throwable e) {
            keep(step == null ? null : step.engine(), e);
            return DocaError.UNEXPECTED.code();
        }
    }

    private static void keep(@Nullable ProgressEngine engine, Throwable thrown) {
        try {
            if (engine != null) {
                engine.keep(thrown);
            } else {
                LOGGER.log(System.Logger.Level.ERROR, "A callback failed", thrown);
            }
        } catch (Throwable e) {
            // Nothing can be done with it here, and it must not reach C.
        }
    }
}

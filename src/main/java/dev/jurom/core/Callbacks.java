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
 * The upcall stubs of the callbacks that C calls rarely: one for each type of callback, valid as
 * long as the process. Completions of tasks and changes of state take another path,
 * {@link CompletionArray}; the tickets of their objects are also registered here.
 *
 * <p>An exception must not reach C, where it would end the JVM. The progress engine stores it, and
 * the call that ran the C function rethrows it. Completions that C recorded before the callback are
 * delivered first.
 *
 * <p>Callbacks that take a {@code union doca_data} are bound by hand: the union is passed by value,
 * as one 64-bit integer, and the generated stub would copy it into newly allocated memory in every
 * call.
 *
 * <p>Objects are held weakly, so that an object that is no longer referenced can be collected and
 * reported as a leak. No callback can occur by then: callbacks need a progress engine, which holds
 * its contexts.
 */
final class Callbacks {

    /** The stubs of memory maps: made at their first use, since each takes milliseconds. */
    static final class OfMaps {

        /** For {@code doca_mmap_memrange_free_cb_t}; the cookie is the ticket of the listener. */
        static final MemorySegment FREED = stub("memoryFreed", doca_mmap_memrange_free_cb_t.descriptor());

        private OfMaps() {}
    }

    /** The stubs of graphs. */
    static final class OfGraphs {

        /** For {@code doca_graph_completion_cb_t}, for instances that succeeded. */
        static final MemorySegment COMPLETED =
                stub("graphCompleted", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));

        /** For {@code doca_graph_completion_cb_t}, for instances that failed. */
        static final MemorySegment FAILED =
                stub("graphFailed", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG));

        /** For {@code doca_graph_user_node_cb_t}; the cookie is the ticket of the step. */
        static final MemorySegment FUNCTION = stub("graphFunction", doca_graph_user_node_cb_t.descriptor());

        private OfGraphs() {}
    }

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.core");

    private static final WeakTable<Object> TARGETS = new WeakTable<>();

    private Callbacks() {}

    private static MemorySegment stub(String method, FunctionDescriptor descriptor) {
        return Upcall.to(MethodHandles.lookup(), method, descriptor);
    }

    /** Registers an object and returns the ticket that its callbacks pass. */
    static long register(Object target) {
        return TARGETS.add(target);
    }

    /** Unregisters a ticket. Callbacks that still pass it are ignored. */
    static void unregister(long ticket) {
        TARGETS.remove(ticket);
    }

    /** Returns the context with a ticket, or null if it was collected or destroyed. */
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
            report(null, e);
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
            report(graph == null ? null : graph.engine(), e);
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
            report(step == null ? null : step.engine(), e);
            return DocaError.UNEXPECTED.code();
        }
    }

    private static void report(@Nullable ProgressEngine engine, Throwable thrown) {
        try {
            if (engine != null) {
                engine.addFailure(thrown);
            } else {
                LOGGER.log(System.Logger.Level.ERROR, "A callback failed", thrown);
            }
        } catch (Throwable e) {
            // It must not reach C, and no caller can receive it.
        }
    }
}

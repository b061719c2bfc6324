// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks invariants after a thread has failed. */
final class InvariantChecks {

    /** Maximum time of a command or a close. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    static final Offload<Long, Long> ECHO =
            Offload.of(GraphPlugin.NAME, GraphPlugin.VERSION, GraphCodec::packLoopback, GraphCodec::loopbackData);

    private static final long PAUSE_NANOS = 200_000;
    private static final int FRAMES = 30; // of a printed stack trace

    private final Set<Thread> before = threads();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    void violation(String text) {
        violations.add(text);
    }

    void violation(String text, Throwable failure) {
        violations.add(text + " failed: " + failure + " " + shown(failure.getStackTrace()));
    }

    private static List<StackTraceElement> shown(StackTraceElement[] frames) {
        return Stream.of(frames).limit(FRAMES).toList();
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    /** Joins threads, one of which may be the victim. */
    void join(List<Thread> threads) throws InterruptedException {
        var end = System.nanoTime() + PATIENCE.multipliedBy(3).toNanos();
        for (var thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                violation(thread + " hangs: " + shown(thread.getStackTrace()));
            }
        }
    }

    /** Checks that all slots of a worker, except those counted as lost, are free at the same time. */
    void checkSlots(Worker worker, int size) {
        var lost = worker.lostSlots();
        if (!await(() -> hasFree(worker, size - lost))) {
            violation("not all of " + size + " slots are free, and " + lost + " are lost");
        }
        if (lost > 0 && hasFree(worker, size - lost + 1)) {
            violation("more than " + (size - lost) + " slots are free although " + lost + " are lost");
        }
        if (worker.droppedResponses() > 0) {
            violation(worker.droppedResponses() + " responses were dropped");
        }
    }

    /** Acquires each slot while packing the previous command. */
    private static boolean hasFree(Worker worker, int slots) {
        var missing = new boolean[1];
        if (slots > 0) {
            take(worker, slots, missing);
        }
        return !missing[0];
    }

    private static void take(Worker worker, int slots, boolean[] missing) {
        missing[0] |= worker.trySubmit(
                        Offload.<Long, Long>of(
                                GraphPlugin.NAME,
                                GraphPlugin.VERSION,
                                (key, payload) -> {
                                    if (slots > 1) {
                                        take(worker, slots - 1, missing);
                                    }
                                    return GraphCodec.packLoopback(key, payload);
                                },
                                GraphCodec::loopbackData),
                        0L)
                .isEmpty();
    }

    /** Checks that the last close leaves no thread and no process. */
    void checkClose(Urom urom) throws InterruptedException {
        var closing = Thread.ofPlatform().daemon().start(() -> {
            try {
                urom.close();
            } catch (Throwable e) {
                violation("close()", e);
            }
        });
        if (!closing.join(PATIENCE)) {
            violation("close() hangs: " + shown(closing.getStackTrace()));
        }
        if (!await(() -> before.containsAll(threads()))) {
            violation("threads are left: " + threads());
        }
        if (!await(() -> ProcessHandle.current().descendants().findAny().isEmpty())) {
            violation("processes are left: "
                    + ProcessHandle.current().descendants().toList());
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> Injection.Role.of(thread) != Injection.Role.APPLICATION)
                .collect(Collectors.toSet());
    }

    private static boolean await(BooleanSupplier condition) {
        var end = System.nanoTime() + PATIENCE.toNanos() / 2;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }
}

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
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    static final Offload<Long, Long> ECHO =
            Offload.of(GraphPlugin.NAME, GraphPlugin.VERSION, GraphCodec::packLoopback, GraphCodec::loopbackData);

    private static final long PAUSE_NANOS = 200_000;
    private static final int FRAMES = 30; // maximum number of printed stack frames

    private final Set<Thread> before = threads();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    void addViolation(String text) {
        violations.add(text);
    }

    void addViolation(String text, Throwable failure) {
        violations.add(text + " failed: " + failure + " " + firstFrames(failure.getStackTrace()));
    }

    private static List<StackTraceElement> firstFrames(StackTraceElement[] frames) {
        return Stream.of(frames).limit(FRAMES).toList();
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    /** Joins threads. A thread that does not end in time is a violation. */
    void join(List<Thread> threads) throws InterruptedException {
        var end = System.nanoTime() + TIMEOUT.multipliedBy(3).toNanos();
        for (var thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                addViolation(thread + " hangs: " + firstFrames(thread.getStackTrace()));
            }
        }
    }

    /** Checks that all slots of a worker, except those counted as lost, are free at the same time. */
    void checkSlots(Worker worker, int size) {
        var lost = worker.lostSlots();
        if (!await(() -> hasFree(worker, size - lost))) {
            addViolation("not all of " + size + " slots are free, and " + lost + " are lost");
        }
        if (lost > 0 && hasFree(worker, size - lost + 1)) {
            addViolation("more than " + (size - lost) + " slots are free although " + lost + " are lost");
        }
        if (worker.droppedResponses() > 0) {
            addViolation(worker.droppedResponses() + " responses were dropped");
        }
    }

    /**
     * Returns whether this number of slots is free at the same time. Acquires each slot while packing the
     * command in the previous one.
     */
    private static boolean hasFree(Worker worker, int slots) {
        var missing = new boolean[1];
        if (slots > 0) {
            acquire(worker, slots, missing);
        }
        return !missing[0];
    }

    private static void acquire(Worker worker, int slots, boolean[] missing) {
        missing[0] |= worker.trySubmit(
                        Offload.<Long, Long>of(
                                GraphPlugin.NAME,
                                GraphPlugin.VERSION,
                                (key, payload) -> {
                                    if (slots > 1) {
                                        acquire(worker, slots - 1, missing);
                                    }
                                    return GraphCodec.packLoopback(key, payload);
                                },
                                GraphCodec::loopbackData),
                        0L)
                .isEmpty();
    }

    /** Closes the facade, and checks that no threads and processes remain. */
    void checkClose(Urom urom) throws InterruptedException {
        var closing = Thread.ofPlatform().daemon().start(() -> {
            try {
                urom.close();
            } catch (Throwable e) {
                addViolation("close()", e);
            }
        });
        if (!closing.join(TIMEOUT)) {
            addViolation("close() hangs: " + firstFrames(closing.getStackTrace()));
        }
        if (!await(() -> before.containsAll(threads()))) {
            addViolation("threads are left: " + threads());
        }
        if (!await(() -> workers().findAny().isEmpty())) {
            addViolation("workers are left: " + workers().toList());
        }
    }

    /** Returns the processes of workers: the children of the launcher of the embedded service. */
    private static Stream<ProcessHandle> workers() {
        return ProcessHandle.current().children().flatMap(ProcessHandle::children);
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> Injection.Role.of(thread) != Injection.Role.APPLICATION)
                .collect(Collectors.toSet());
    }

    private static boolean await(BooleanSupplier condition) {
        var end = System.nanoTime() + TIMEOUT.toNanos() / 2;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import static dev.jurom.proof.failures.InvariantChecks.ECHO;
import static dev.jurom.proof.failures.InvariantChecks.TIMEOUT;

import dev.jurom.DomainConfiguration;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.exchange.ThreadExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One of eight threads exhausts its stack and submits commands in each of the last frames, or exhausts the
 * heap repeatedly.
 */
final class ExhaustionProgram {

    private static final int OTHERS = 7;
    private static final int SLOTS = 4;
    private static final int ROUNDS = 3; // later rounds run compiled code
    private static final int FRAMES = 3000; // more than the frames of a call
    private static final int BLOCK = 1 << 16;
    private static final long FULL_NANOS = 300_000_000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final InvariantChecks checks = new InvariantChecks();
    private final List<CompletableFuture<Long>> futures = new ArrayList<>();
    private final Worker worker;
    private final boolean usesHeap;
    private final AtomicInteger hits = new AtomicInteger();
    private volatile boolean ends;
    private volatile int steps; // of the thread that exhausts its stack or the heap

    private ExhaustionProgram(Worker worker, boolean usesHeap) {
        this.worker = worker;
        this.usesHeap = usesHeap;
    }

    /**
     * Prints a line for each violation, and a final line.
     *
     * @param arguments the size of the stack, 0 for the default size; without arguments, the heap is
     *     exhausted
     */
    public static void main(String[] arguments) throws InterruptedException {
        try (var exchange = ThreadExchange.open(2).getFirst()) {
            var urom =
                    Urom.open(UromConfiguration.builder().callTimeout(TIMEOUT).build());
            var worker = urom.startWorker(
                    WorkerConfiguration.builder(GraphPlugin.NAME).tasks(SLOTS).build());
            var program = new ExhaustionProgram(worker, arguments.length == 0);
            urom.startDomainAsync(DomainConfiguration.builder(exchange)
                    .worker(worker)
                    .build()); // never starts, since the other participant does not join
            program.run(arguments.length == 0 ? 0 : Long.parseLong(arguments[0]));
            program.checks.checkClose(urom);
            program.checks.violations().forEach(text -> System.out.println("violation " + text));
            System.out.println("hits " + program.hits);
        }
    }

    private void run(long stackSize) throws InterruptedException {
        // Initializes the classes. If an initializer fails, the class fails for all threads, as the language specifies.
        require(0, worker.call(ECHO, 0L));
        require(1, worker.submit(ECHO, 1L).join());
        var threads = new ArrayList<Thread>();
        for (var i = 0; i < OTHERS; i++) {
            threads.add(Thread.ofPlatform().daemon().start(this::callContinuously));
        }
        var victim = Thread.ofPlatform().daemon().stackSize(stackSize).start(this::exhaust);
        for (var before = -1; before != steps && victim.isAlive(); ) { // the victim takes minutes on a busy machine
            before = steps;
            victim.join(TIMEOUT.multipliedBy(2));
        }
        checks.join(List.of(victim));
        ends = true;
        checks.join(threads);
        for (var future : futures) {
            check(future);
        }
        checks.checkSlots(worker, SLOTS);
    }

    private void callContinuously() {
        for (var key = 0L; !ends; key++) {
            try {
                require(
                        key,
                        key % 2 == 0
                                ? worker.call(ECHO, key)
                                : worker.submit(ECHO, key).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
            } catch (Throwable e) {
                checkFailure(e, usesHeap);
            }
        }
    }

    private void exhaust() {
        for (var i = 0; i < ROUNDS; i++) {
            if (usesHeap) {
                fillHeap();
            } else {
                overflowStack();
            }
        }
        try {
            worker.call(ECHO, 1L);
        } catch (Throwable e) {
            checks.addViolation("a call of the recovered thread", e);
        }
    }

    private void fillHeap() {
        var blocks = new ArrayList<byte[]>();
        var before = hits.get();
        var end = System.nanoTime() + FULL_NANOS;
        while (hits.get() == before || System.nanoTime() - end < 0) {
            steps++;
            try {
                blocks.add(new byte[BLOCK]);
            } catch (OutOfMemoryError e) {
                hits.incrementAndGet();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /**
     * Recurses until the stack overflows, and submits commands in the last frames. Returns the number of
     * deeper frames.
     */
    private int overflowStack() {
        var below = 0;
        try {
            below = overflowStack() + 1;
        } catch (StackOverflowError e) {
            below = 0;
        }
        if (below < FRAMES) {
            submit(below);
        }
        return below;
    }

    private void submit(int key) {
        steps++;
        try {
            switch (key % 5) {
                case 0 -> require(key, worker.call(ECHO, (long) key));
                case 1 ->
                    require(
                            2 * key,
                            worker.callAll(ECHO, List.of((long) key, (long) key)).stream()
                                    .mapToLong(Long::longValue)
                                    .sum());
                case 2 -> futures.add(worker.submit(ECHO, (long) key));
                case 3 -> require(key, worker.submit(ECHO, (long) key).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
                default -> worker.trySubmit(ECHO, (long) key).ifPresent(futures::add);
            }
        } catch (Throwable e) {
            checkFailure(e, true);
        }
    }

    private void require(long key, long answer) {
        if (key != answer) {
            checks.addViolation("a command received the answer of another command");
        }
    }

    /**
     * Checks that a failure was caused by the exhaustion. Accepts linkage errors, since a class whose
     * initializer failed also fails later.
     */
    private void checkFailure(Throwable failure, boolean isVictim) {
        var cause = failure;
        while (cause != null && !(cause instanceof VirtualMachineError) && !(cause instanceof LinkageError)) {
            cause = cause.getCause();
        }
        if (cause != null && isVictim) {
            hits.incrementAndGet();
        } else {
            checks.addViolation(isVictim ? "the victim" : "another thread", failure);
        }
    }

    private void check(CompletableFuture<Long> future) throws InterruptedException {
        try {
            future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            checkFailure(e.getCause(), true);
        } catch (TimeoutException e) {
            checks.addViolation("a future is still pending");
        }
    }
}

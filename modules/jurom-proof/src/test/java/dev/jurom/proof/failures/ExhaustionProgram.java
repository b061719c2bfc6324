// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import static dev.jurom.proof.failures.Aftermath.ECHO;
import static dev.jurom.proof.failures.Aftermath.PATIENCE;

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
 * One of eight threads uses its stack up, and gives commands on each of the last frames; or it uses
 * the heap up for moments.
 */
final class ExhaustionProgram {

    private static final int OTHERS = 7;
    private static final int SLOTS = 4;
    private static final int ROUNDS = 3; // later ones are compiled
    private static final int FRAMES = 3000; // more than the reserve of a call
    private static final int BLOCK = 1 << 16;
    private static final long FULL_NANOS = 300_000_000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final Aftermath aftermath = new Aftermath();
    private final List<CompletableFuture<Long>> futures = new ArrayList<>();
    private final Worker worker;
    private final boolean usesHeap;
    private final AtomicInteger hits = new AtomicInteger();
    private volatile boolean ends;

    private ExhaustionProgram(Worker worker, boolean usesHeap) {
        this.worker = worker;
        this.usesHeap = usesHeap;
    }

    /**
     * Prints a line for each violation, and one at the end.
     *
     * @param arguments the size of the stack, 0 for the default one; none: uses the heap up
     */
    public static void main(String[] arguments) throws InterruptedException {
        try (var exchange = ThreadExchange.open(2).getFirst()) {
            var urom =
                    Urom.open(UromConfiguration.builder().callTimeout(PATIENCE).build());
            var worker = urom.startWorker(
                    WorkerConfiguration.builder(GraphPlugin.NAME).tasks(SLOTS).build());
            var program = new ExhaustionProgram(worker, arguments.length == 0);
            urom.startDomainAsync(DomainConfiguration.builder(exchange)
                    .worker(worker)
                    .build()); // it never starts: the other participant does not come
            program.run(arguments.length == 0 ? 0 : Long.parseLong(arguments[0]));
            program.aftermath.checkClose(urom);
            program.aftermath.violations().forEach(text -> System.out.println("violation " + text));
            System.out.println("hits " + program.hits);
        }
    }

    private void run(long stackSize) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (var i = 0; i < OTHERS; i++) {
            threads.add(Thread.ofPlatform().daemon().start(this::callAlong));
        }
        var victim = Thread.ofPlatform().daemon().stackSize(stackSize).start(this::exhaust);
        aftermath.join(List.of(victim));
        ends = true;
        aftermath.join(threads);
        for (var future : futures) {
            check(future);
        }
        aftermath.checkSlots(worker, SLOTS);
    }

    private void callAlong() {
        for (var key = 0L; !ends; key++) {
            try {
                require(
                        key,
                        key % 2 == 0
                                ? worker.call(ECHO, key)
                                : worker.submit(ECHO, key).get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            } catch (Throwable e) {
                judge(e, usesHeap);
            }
        }
    }

    private void exhaust() {
        for (var i = 0; i < ROUNDS; i++) {
            if (usesHeap) {
                fill();
            } else {
                descend();
            }
        }
        try {
            worker.call(ECHO, 1L);
        } catch (Throwable e) {
            aftermath.violation("a call of a thread that has recovered", e);
        }
    }

    private void fill() {
        var blocks = new ArrayList<byte[]>();
        var end = System.nanoTime() + FULL_NANOS;
        while (System.nanoTime() - end < 0) {
            try {
                blocks.add(new byte[BLOCK]);
            } catch (OutOfMemoryError e) {
                hits.incrementAndGet();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Returns how many frames there were below. */
    private int descend() {
        var below = 0;
        try {
            below = descend() + 1;
        } catch (StackOverflowError e) {
            below = 0;
        }
        if (below < FRAMES) {
            use(below);
        }
        return below;
    }

    private void use(int key) {
        try {
            switch (key % 4) {
                case 0 -> require(key, worker.call(ECHO, (long) key));
                case 1 ->
                    require(
                            2 * key,
                            worker.callAll(ECHO, List.of((long) key, (long) key)).stream()
                                    .mapToLong(Long::longValue)
                                    .sum());
                case 2 -> futures.add(worker.submit(ECHO, (long) key));
                default -> worker.trySubmit(ECHO, (long) key).ifPresent(futures::add);
            }
        } catch (Throwable e) {
            judge(e, true);
        }
    }

    private void require(long key, long answer) {
        if (key != answer) {
            aftermath.violation("a command has the answer of another");
        }
    }

    /** A class whose initialization failed also fails later. */
    private void judge(Throwable failure, boolean isVictim) {
        var cause = failure;
        while (cause != null && !(cause instanceof VirtualMachineError) && !(cause instanceof LinkageError)) {
            cause = cause.getCause();
        }
        if (cause != null && isVictim) {
            hits.incrementAndGet();
        } else {
            aftermath.violation(isVictim ? "the victim" : "another thread", failure);
        }
    }

    private void check(CompletableFuture<Long> future) throws InterruptedException {
        try {
            future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            judge(e.getCause(), true);
        } catch (TimeoutException e) {
            aftermath.violation("a future is pending");
        }
    }
}

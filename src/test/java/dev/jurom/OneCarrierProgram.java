// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;

import dev.jurom.fixture.Command;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Virtual threads on a single carrier thread: some wait for an unresponsive worker, where a wait in native code would block
 * the others, and one calls in a loop.
 */
public final class OneCarrierProgram {

    private static final int THREADS = 8;
    private static final int SLOTS = THREADS / 2;
    private static final int ROUNDS = 200;
    private static final int MAX_CALLS = SLOTS * 128; // before a thread of each slot has yielded
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private OneCarrierProgram() {}

    /** Prints "free" if other virtual threads run meanwhile. */
    public static void main(String[] arguments) throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.builder(GraphPlugin.NAME)
                        .tasks(SLOTS)
                        .build())) {
            var process = Long.toString(workerProcesses().getFirst().pid());
            Command.run("kill", "-STOP", process);
            var waiting = new ArrayList<Thread>();
            for (var i = 0; i < THREADS; i++) {
                waiting.add(Thread.ofVirtual().start(() -> call(worker)));
            }
            for (var thread : waiting) {
                while (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE) {
                    Thread.onSpinWait();
                }
            }
            var free = Thread.ofVirtual().start(() -> {}).join(DEADLINE);
            Command.run("kill", "-CONT", process);
            for (var thread : waiting) {
                free &= thread.join(DEADLINE);
            }
            System.out.println(free ? "free" : "the carrier is pinned");
            var most = 0;
            for (var round = 0; round < ROUNDS; round++) {
                most = Math.max(most, callsUntilOthersRun(() -> call(worker)));
                most = Math.max(most, callsUntilOthersRun(() -> callAll(worker)));
            }
            System.out.println(most <= MAX_CALLS ? "yields" : "one thread made " + most + " calls before another ran");
        }
    }

    private static int callsUntilOthersRun(Runnable call) throws InterruptedException {
        var hasRun = new AtomicBoolean();
        var calls = new AtomicInteger();
        Thread.ofVirtual()
                .start(() -> {
                    Thread.ofVirtual().start(() -> hasRun.set(true));
                    for (; !hasRun.get(); calls.incrementAndGet()) {
                        call.run();
                    }
                })
                .join();
        return calls.get();
    }

    private static void call(Worker worker) {
        try {
            worker.call(LOOPBACK, 1L);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void callAll(Worker worker) {
        try {
            worker.callAll(LOOPBACK, List.of(1L, 2L));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

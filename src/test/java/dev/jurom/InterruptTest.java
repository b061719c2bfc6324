// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.plugin.graph.GraphPlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests interrupts of threads that wait for an unresponsive worker. */
@ForEveryRuntime
class InterruptTest {

    /** Less than the default call timeout, which would hide a hang. */
    private static final long SOON_SECONDS = 10;

    private final List<Thread> threads = new ArrayList<>();
    private Urom urom;
    private Worker worker;
    private String process;

    @BeforeEach
    void suspendTheWorker() throws InterruptedException {
        urom = Urom.open();
        worker = urom.startWorker(
                WorkerConfiguration.builder(GraphPlugin.NAME).tasks(8).build());
        process = Long.toString(workerProcesses().getFirst().pid());
        Command.run("kill", "-STOP", process);
    }

    @AfterEach
    void resumeTheWorker() {
        Command.execute(List.of("kill", "-CONT", process));
        urom.close();
        eventually("no worker is left", () -> workerProcesses().isEmpty());
    }

    @Test
    void calls_and_gets_are_interruptible_whichever_thread_drives_the_engine() throws Exception {
        var ends = List.of(
                start(Thread.ofPlatform(), () -> worker.call(LOOPBACK, 1L)),
                start(Thread.ofPlatform(), () -> worker.call(LOOPBACK, 2L)),
                start(Thread.ofPlatform(), () -> worker.submit(LOOPBACK, 3L).get()),
                start(Thread.ofPlatform(), () -> worker.submit(LOOPBACK, 4L).get(1, TimeUnit.MINUTES)),
                start(Thread.ofVirtual(), () -> worker.call(LOOPBACK, 5L)),
                start(Thread.ofVirtual(), () -> worker.submit(LOOPBACK, 6L).get()));

        threads.reversed().forEach(Thread::interrupt); // the first thread drives the engine

        for (var end : ends) {
            assertInstanceOf(InterruptedException.class, soon(end));
        }
        Command.run("kill", "-CONT", process);
        assertEquals(7, worker.call(LOOPBACK, 7L));
    }

    @Test
    void a_call_that_waits_for_a_slot_is_interruptible() throws Exception {
        for (var i = 0L; i < 8; i++) {
            worker.submit(LOOPBACK, i);
        }
        var ends = List.of(
                start(Thread.ofPlatform(), () -> worker.call(LOOPBACK, 1L)),
                start(Thread.ofPlatform(), () -> worker.callAll(LOOPBACK, List.of(1L, 2L))),
                start(Thread.ofVirtual(), () -> worker.call(LOOPBACK, 1L)));

        threads.forEach(Thread::interrupt);

        for (var end : ends) {
            assertInstanceOf(InterruptedException.class, soon(end));
        }
    }

    @Test
    void a_dependent_action_that_waits_for_a_slot_is_interruptible() throws Exception {
        var other = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        for (var i = 0L; i < 8; i++) {
            worker.submit(LOOPBACK, i);
        }
        var inDependent = new CompletableFuture<Thread>();
        var end = new CompletableFuture<Throwable>();
        start(
                Thread.ofPlatform(),
                () -> other.submit(LOOPBACK, 1L)
                        .thenAccept(one -> {
                            inDependent.complete(Thread.currentThread());
                            end.complete(assertThrows(Exception.class, () -> worker.call(LOOPBACK, 1L)));
                        })
                        .join());

        soon(inDependent).interrupt();

        assertInstanceOf(InterruptedException.class, soon(end));
        other.close();
    }

    @Test
    void a_pending_interrupt_is_thrown_immediately() {
        for (Callable<Object> action : List.<Callable<Object>>of(
                () -> worker.call(LOOPBACK, 1L),
                () -> worker.callAll(LOOPBACK, List.of(1L)),
                () -> worker.trySubmit(LOOPBACK, 1L).orElseThrow().get())) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, action::call);
            assertFalse(Thread.currentThread().isInterrupted());
        }
    }

    @Test
    void join_is_not_interruptible_and_preserves_the_interrupt_status() throws Exception {
        var flag = new CompletableFuture<Boolean>();
        var first = start(Thread.ofPlatform(), () -> worker.call(LOOPBACK, 1L));
        start(Thread.ofPlatform(), () -> {
            worker.submit(LOOPBACK, 2L).join();
            return flag.complete(Thread.currentThread().isInterrupted());
        });

        threads.forEach(Thread::interrupt);
        soon(first);
        assertFalse(flag.isDone());
        Command.run("kill", "-CONT", process);

        assertTrue(soon(flag));
    }

    /** Returns the exception of an action in a thread that is interrupted while waiting, or null. */
    private CompletableFuture<Throwable> start(Thread.Builder builder, Callable<?> action) {
        var end = new CompletableFuture<Throwable>();
        var thread = builder.start(() -> {
            try {
                action.call();
                end.complete(null);
            } catch (Exception e) {
                end.complete(e);
            }
        });
        threads.add(thread);
        eventually("it waits", () -> end.isDone() || isWaiting(thread));
        return end;
    }

    /** Returns whether a thread is parked or in the native wait of a caller. */
    static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING
                || List.of(thread.getStackTrace()).stream()
                        .anyMatch(frame -> frame.getClassName().endsWith(".SharedEngine"));
    }

    private static <T> T soon(CompletableFuture<T> future) {
        return future.orTimeout(SOON_SECONDS, TimeUnit.SECONDS).join();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.OtherThread;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thread that waits for the future of a command drives the engine, and receives the answer itself. */
class JoinedFuturesTest {

    private static final int ROUNDS = 200;
    private static final long MILLISECONDS = 50; // of waits that time out

    private Urom urom;
    private Worker worker;

    @BeforeEach
    void open() throws InterruptedException {
        urom = Urom.open();
        worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
    }

    @AfterEach
    void close() {
        urom.close();
    }

    @Test
    void threads_of_each_kind_wait_for_the_same_future() {
        for (var i = 0; i < ROUNDS; i++) {
            var number = (long) i;
            var answer = worker.submit(LOOPBACK, number);
            var virtual = new CompletableFuture<Long>().completeAsync(answer::join, Thread::startVirtualThread);
            var pooled = new CompletableFuture<Long>().completeAsync(answer::join, ForkJoinPool.commonPool());

            assertEquals(number, answer.join());
            Stream.of(virtual, pooled).forEach(wait -> assertEquals(number, within(wait)));
        }
    }

    @Test
    void a_wait_that_times_out_loses_no_answer() throws Exception {
        var answer = whileStopped(() -> {
            var pending = worker.submit(LOOPBACK, 5L);
            assertThrows(TimeoutException.class, () -> pending.get(MILLISECONDS, TimeUnit.MILLISECONDS));
            return pending;
        });
        assertEquals(5, answer.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void the_deadline_of_a_command_ends_a_wait() throws Exception {
        whileStopped(() -> {
            var options = CallOptions.DEFAULT.withTimeout(Duration.ofMillis(MILLISECONDS));
            var pending = worker.submit(LOOPBACK, 5L, options);
            var failure = assertThrows(ExecutionException.class, pending::get);
            var reason = assertInstanceOf(DocaException.class, failure.getCause());
            assertEquals(DocaError.TIME_OUT, reason.error());
            return null;
        });
    }

    @Test
    void a_wait_that_is_interrupted_loses_no_answer() throws Exception {
        var answer = whileStopped(() -> {
            var pending = worker.submit(LOOPBACK, 6L);
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, pending::get);
            Thread.currentThread().interrupt();
            assertThrows(TimeoutException.class, () -> {
                assertTrue(Thread.interrupted());
                pending.get(MILLISECONDS, TimeUnit.MILLISECONDS);
            });
            return pending;
        });
        assertEquals(6, answer.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void join_ignores_an_interrupt_and_preserves_it() throws Exception {
        var wait = whileStopped(() -> {
            var pending = worker.submit(LOOPBACK, 7L);
            return OtherThread.start("waits", () -> {
                Thread.currentThread().interrupt();
                assertEquals(7, pending.join());
                return Thread.interrupted();
            });
        });
        assertTrue(within(wait));
    }

    @Test
    void a_cancellation_by_another_thread_ends_a_wait() throws Exception {
        whileStopped(() -> {
            var pending = worker.submit(LOOPBACK, 8L);
            var wait = OtherThread.start("waits", () -> assertThrows(CancellationException.class, pending::join));
            pending.cancel(false);
            within(wait);
            return null;
        });
        assertEquals(9, worker.submit(LOOPBACK, 9L).join());
    }

    @Test
    void the_exit_of_the_worker_ends_a_wait() throws Exception {
        var pending = whileStopped(() -> {
            var answer = worker.submit(LOOPBACK, 10L);
            for (var process : workerProcesses()) {
                process.destroyForcibly();
                within(process.onExit());
            }
            return answer;
        });
        var failure = assertThrows(Exception.class, () -> pending.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
        assertTrue(String.valueOf(failure.getCause()).contains("SIGKILL"), failure::toString);
    }

    private static <T> T within(CompletableFuture<T> future) {
        return future.orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Runs an action while the workers are stopped. */
    private static <T> T whileStopped(Callable<T> action) throws Exception {
        var workers = workerProcesses();
        signal(workers, "-STOP");
        try {
            return action.call();
        } finally {
            signal(workers, "-CONT");
        }
    }

    private static void signal(List<ProcessHandle> processes, String signal) {
        processes.stream()
                .filter(ProcessHandle::isAlive)
                .forEach(process -> Command.run("kill", signal, Long.toString(process.pid())));
    }
}

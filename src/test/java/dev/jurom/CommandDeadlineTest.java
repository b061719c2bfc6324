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

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.OtherThread;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that commands to an unresponsive worker time out. */
@ForEveryRuntime
class CommandDeadlineTest {

    private static final Duration TIMEOUT = Duration.ofMillis(300);
    private static final CallOptions LONG = within(Duration.ofSeconds(60));

    private static final Duration PACKING = Duration.ofMillis(30);
    private static final Offload<Long, Long> SLOWLY_PACKED = Offload.of(
            GraphPlugin.NAME,
            GraphPlugin.VERSION,
            (value, payload) -> {
                pause(PACKING);
                return LOOPBACK.pack(value, payload);
            },
            LOOPBACK::unpack);

    /** Less than the default call timeout, which would hide a missing timeout. */
    private static final long SOON_SECONDS = 10;

    private Urom urom;
    private Worker worker;
    private String process;

    @BeforeEach
    void suspendTheWorker() throws InterruptedException {
        urom = Urom.open(UromConfiguration.builder().callTimeout(TIMEOUT).build());
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
    void a_command_fails_at_the_call_timeout_without_a_waiting_thread() throws Exception {
        var completions = new AtomicInteger();
        var start = System.nanoTime();
        var answer = worker.submit(LOOPBACK, 1L);
        answer.whenComplete((value, failure) -> completions.incrementAndGet());

        eventually("the command has failed", answer::isDone);

        assertTimeOut(answer.exceptionNow());
        assertTrue(
                answer.exceptionNow().getMessage().contains("within 300 ms"),
                answer.exceptionNow().getMessage());
        assertTrue(System.nanoTime() - start >= TIMEOUT.toNanos(), "too early");
        Command.run("kill", "-CONT", process);
        assertEquals(2, worker.call(LOOPBACK, 2L, LONG));
        assertEquals(1, completions.get());
    }

    @Test
    void join_and_call_report_the_call_timeout() throws Exception {
        for (var thread : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            var joined = new CompletableFuture<Throwable>();
            var called = new CompletableFuture<Throwable>();
            var derived = new CompletableFuture<Throwable>();
            thread.start(() ->
                    joined.complete(thrown(() -> worker.submit(LOOPBACK, 1L).join())));
            thread.start(() -> called.complete(thrown(() -> worker.call(LOOPBACK, 2L))));
            thread.start(() -> derived.complete(thrown(() ->
                    worker.submit(LOOPBACK, 3L).thenApply(value -> value + 1).join())));

            assertTimeOut(soon(joined).getCause());
            assertTimeOut(soon(called));
            assertTimeOut(soon(derived).getCause());
        }
    }

    @Test
    void a_timeout_argument_overrides_the_call_timeout() throws Exception {
        var patient = worker.submit(LOOPBACK, 1L, LONG);
        var hasty = worker.submit(LOOPBACK, 2L, within(Duration.ofMillis(50)));

        eventually("the command has failed", hasty::isDone);
        assertTimeOut(hasty.exceptionNow());
        assertTrue(hasty.exceptionNow().getMessage().contains("within 50 ms"));
        assertTimeOut(
                assertThrows(DocaException.class, () -> worker.call(LOOPBACK, 3L, within(Duration.ofMillis(10)))));
        assertTimeOut(assertThrows(
                        CompletionException.class,
                        () -> worker.submit(LOOPBACK, 4L).join())
                .getCause());

        assertFalse(patient.isDone());
        Command.run("kill", "-CONT", process);
        assertEquals(1, soon(patient));
    }

    @Test
    void the_timeout_of_a_batch_covers_all_its_commands() throws Exception {
        var options = within(Duration.ofMillis(50));
        for (var thread : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            var called = new CompletableFuture<Throwable>();
            thread.start(() ->
                    called.complete(thrown(() -> worker.callAll(LOOPBACK, Collections.nCopies(3, 1L), options))));

            assertTimeOut(soon(called));
        }
        var all = Collections.nCopies(20, 2L); // more than the slots that are left
        var failure = assertThrows(DocaException.class, () -> worker.callAll(LOOPBACK, all, options));
        assertTimeOut(failure);
        assertTrue(failure.getMessage().contains("within 50 ms"), failure.getMessage());

        Command.run("kill", "-CONT", process);
        assertEquals(all, worker.callAll(LOOPBACK, all, LONG));
        var half = within(PACKING.multipliedBy(all.size() / 2));
        assertTimeOut(assertThrows(DocaException.class, () -> worker.callAll(SLOWLY_PACKED, all, half)));
    }

    @Test
    void an_attempt_to_submit_has_its_own_timeout() {
        var answer =
                worker.trySubmit(LOOPBACK, 1L, within(Duration.ofMillis(50))).orElseThrow();

        eventually("the command has failed", answer::isDone);
        assertTimeOut(answer.exceptionNow());
        assertTrue(answer.exceptionNow().getMessage().contains("within 50 ms"));
    }

    @Test
    void the_call_timeout_includes_the_wait_for_a_slot() throws Exception {
        for (var i = 0; i < 8; i++) {
            worker.submit(LOOPBACK, 1L, LONG); // occupies a slot
        }
        for (var thread : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            var called = new CompletableFuture<Throwable>();
            thread.start(() -> called.complete(thrown(() -> worker.call(LOOPBACK, 2L))));

            var failure = assertInstanceOf(DocaException.class, soon(called));
            assertEquals(DocaError.AGAIN, failure.error());
        }
    }

    @Test
    void without_a_call_timeout_commands_do_not_time_out() throws Exception {
        Command.run("kill", "-CONT", process);
        try (var patient = Urom.open(UromConfiguration.builder().noCallTimeout().build());
                var other = patient.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            workerProcesses().forEach(worker -> Command.run("kill", "-STOP", Long.toString(worker.pid())));
            var answer = other.submit(LOOPBACK, 1L);
            assertTimeOut(assertThrows(
                            CompletionException.class,
                            () -> worker.submit(LOOPBACK, 4L).join())
                    .getCause());
            assertFalse(answer.isDone());
            workerProcesses().forEach(worker -> Command.run("kill", "-CONT", Long.toString(worker.pid())));
            assertEquals(1, soon(answer));
        }
    }

    @Test
    void a_call_timeout_of_zero_is_rejected() {
        var builder = UromConfiguration.builder();

        for (var timeout : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            var refusal = assertThrows(IllegalArgumentException.class, () -> builder.callTimeout(timeout));
            assertTrue(refusal.getMessage().contains("noCallTimeout"), refusal.getMessage());
        }
    }

    @Test
    void other_workers_answer_while_one_command_times_out() throws Exception {
        var wait = Duration.ofSeconds(3);
        var options = within(Duration.ofSeconds(2)); // a busy machine may suspend a thread for 0.3 s
        try (var busy = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var hung = OtherThread.start("unanswered", () -> thrown(() -> worker.call(LOOPBACK, 1L, within(wait))));
            var calls = 0L;
            while (!hung.isDone()) {
                assertEquals(calls, busy.call(LOOPBACK, calls, options));
                calls++;
            }
            assertTimeOut(soon(hung));
            assertTrue(calls > 100, () -> "too few");
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static CallOptions within(Duration timeout) {
        return CallOptions.DEFAULT.withTimeout(timeout);
    }

    private static Throwable thrown(org.junit.jupiter.api.function.Executable action) {
        return assertThrows(Exception.class, action);
    }

    private void assertTimeOut(Throwable failure) {
        assertEquals(
                DocaError.TIME_OUT,
                assertInstanceOf(DocaException.class, failure).error());
        assertTrue(failure.getMessage().contains(worker.toString()), failure.getMessage());
    }

    private static <T> T soon(CompletableFuture<T> future) {
        return future.orTimeout(SOON_SECONDS, TimeUnit.SECONDS).join();
    }
}

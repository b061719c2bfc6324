// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static dev.jurom.fixture.ServiceFixture.eventually;
import static dev.jurom.worker.ProbePlugin.PROBE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.CallOptions;
import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.service.EmbeddedService;
import dev.jurom.worker.ProbePlugin.Action;
import dev.jurom.worker.ProbePlugin.Answer;
import dev.jurom.worker.ProbePlugin.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that deadlines and cancellations reach the plugin, which would otherwise work for a minute. */
class CancelledCommandsTest {

    /** Until the plugin must have detected that a command is not wanted: less than the minute. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final Duration SHORT = Duration.ofMillis(50);

    private static EmbeddedService service;
    private static Urom urom;
    private Worker worker;

    @BeforeAll
    static void start() throws InterruptedException {
        service = EmbeddedService.open(
                usual -> usual.toBuilder().plugin(ProbePlugin.class).build());
        urom = Urom.open();
    }

    @AfterAll
    static void end() {
        urom.close();
        service.close();
    }

    @BeforeEach
    void startWorker() throws InterruptedException {
        worker = urom.startWorker(
                WorkerConfiguration.builder(ProbePlugin.NAME).tasks(2).build());
    }

    @AfterEach
    void closeWorker() {
        assertEquals(0, worker.lostSlots());
        assertEquals(0, worker.droppedResponses());
        worker.close();
    }

    private Answer call(Action action, String text) throws InterruptedException {
        return worker.call(PROBE, Request.of(action, text), CallOptions.DEFAULT.withTimeout(SOON));
    }

    private CompletableFuture<Answer> submit(Action action) {
        return worker.submit(PROBE, Request.of(action, "submitted"));
    }

    private long cancelled() throws InterruptedException {
        return Long.parseLong(call(Action.CANCELLED, "released").text().trim());
    }

    /** Requires that the worker executes commands again, and that no slot is occupied. */
    private void assertWorks() throws Exception {
        var answers = List.of(submit(Action.ECHO), submit(Action.ECHO), submit(Action.ECHO));
        for (var answer : answers) {
            assertEquals(
                    "submitted", answer.get(SOON.toSeconds(), TimeUnit.SECONDS).text());
        }
        eventually("both slots are free", () -> bothSlotsAreFree());
    }

    private boolean bothSlotsAreFree() {
        var first = worker.trySubmit(PROBE, Request.of(Action.ECHO, ""));
        var second = worker.trySubmit(PROBE, Request.of(Action.ECHO, ""));
        first.ifPresent(CompletableFuture::join);
        second.ifPresent(CompletableFuture::join);
        return first.isPresent() && second.isPresent();
    }

    private Throwable thrownBy(Thread.Builder thread, Duration timeout, boolean interrupts) throws Exception {
        var thrown = new CompletableFuture<Throwable>();
        var caller = thread.start(() -> thrown.complete(assertThrows(
                Exception.class,
                () -> worker.call(
                        PROBE, Request.of(Action.WORK, "called"), CallOptions.DEFAULT.withTimeout(timeout)))));
        if (interrupts) {
            Thread.sleep(SHORT);
            caller.interrupt();
        }
        return thrown.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void a_call_that_times_out_stops_its_command() throws Exception {
        for (var thread : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            var failure = assertInstanceOf(DocaException.class, thrownBy(thread, SHORT, false));

            assertTrue(
                    failure.error() == DocaError.TIME_OUT || failure.error() == DocaError.SKIPPED,
                    failure.getMessage());
            assertWorks();
        }
    }

    @Test
    void a_call_that_is_interrupted_stops_its_command() throws Exception {
        for (var thread : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            assertInstanceOf(InterruptedException.class, thrownBy(thread, Duration.ofHours(1), true));
            assertWorks();
        }
    }

    @Test
    void a_future_that_is_cancelled_stops_its_command() throws Exception {
        var answer = submit(Action.WORK);

        assertTrue(answer.cancel(false));
        assertWorks();
    }

    @Test
    void a_future_that_the_application_completes_stops_its_command() throws Exception {
        var late = submit(Action.WORK).orTimeout(SHORT.toMillis(), TimeUnit.MILLISECONDS);
        assertInstanceOf(
                TimeoutException.class,
                assertThrows(ExecutionException.class, late::get).getCause());
        assertWorks();

        var replaced = submit(Action.WORK);
        assertTrue(replaced.complete(new Answer(null)));
        assertWorks();
    }

    @Test
    void a_future_that_times_out_stops_its_command() throws Exception {
        var answer = worker.submit(PROBE, Request.of(Action.WORK, ""), CallOptions.DEFAULT.withTimeout(SHORT));

        var failure = assertThrows(ExecutionException.class, () -> answer.get(SOON.toSeconds(), TimeUnit.SECONDS));
        var error = assertInstanceOf(DocaException.class, failure.getCause()).error();
        assertTrue(error == DocaError.TIME_OUT || error == DocaError.SKIPPED, error.name());
        assertWorks();
    }

    @Test
    void commands_behind_a_long_one_are_cancelled_in_their_line() throws Exception {
        var running = submit(Action.WORK);
        var sent = submit(Action.HOLD);
        var queued = submit(Action.HOLD);

        assertTrue(queued.cancel(false));
        assertTrue(sent.cancel(false));
        assertTrue(running.cancel(false));
        assertWorks();
        assertEquals(0, cancelled()); // the plugin has received neither
    }

    @Test
    void a_deferred_command_runs_its_action_once() throws Exception {
        for (var i = 1; i <= 3; i++) {
            var held = submit(Action.HOLD);
            call(Action.ECHO, "received after it");

            assertFalse(held.isDone());
            assertTrue(held.cancel(false));
            held.cancel(false);
            assertWorks();
            assertEquals(i, cancelled());
        }
    }

    @Test
    void a_deferred_command_whose_action_fails_is_answered_later() throws Exception {
        var held = submit(Action.HOLD_QUIETLY);
        call(Action.ECHO, "received after it");
        held.cancel(false);

        eventually("the action has run", () -> isCancelledOnce());
        call(Action.RELEASE, "answers both");
        assertWorks();
    }

    @Test
    void the_timeout_of_a_batch_stops_the_commands_that_follow() throws Exception {
        var commands =
                List.of(Request.of(Action.ECHO, "first"), Request.of(Action.WORK, ""), Request.of(Action.WORK, ""));
        for (var thread : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
            var called = new CompletableFuture<Throwable>();
            thread.start(() -> called.complete(assertThrows(
                    DocaException.class,
                    () -> worker.callAll(PROBE, commands, CallOptions.DEFAULT.withTimeout(SHORT)))));

            var error = ((DocaException) called.get(SOON.toSeconds(), TimeUnit.SECONDS)).error();
            assertTrue(List.of(DocaError.TIME_OUT, DocaError.SKIPPED).contains(error), error.name());
            assertWorks();
        }
    }

    private boolean isCancelledOnce() {
        try {
            return cancelled() == 1;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_plugin_reads_the_deadline() throws Exception {
        var left = Long.parseLong(
                call(Action.DEADLINE, "a number with room").text().trim());

        assertTrue(left > 0 && left <= SOON.plusSeconds(20).toMillis(), () -> left + " ms");
        assertEquals(
                "0",
                worker.submit(PROBE, Request.of(Action.DEADLINE, "a number with room"))
                        .get()
                        .text()
                        .trim());
    }

    /** The vendor's library has no functions for deadlines and cancellation; here, another service executes the commands. */
    @Test
    void without_the_extensions_of_the_library_a_command_is_executed_after_its_caller_has_left() {
        var libraries = SoftwareInstallation.current().libraries();

        var result = ForkedJvm.run(
                CancelledOnVendorProgram.class, "-Djurom.runtime=vendor", "-Djurom.library.path=" + libraries);

        assertEquals(
                "vendor: 0 cancelled, 0 ms left; occupied until the answer",
                result.output().strip());
    }

    /** Cancellations race with answers: each call gets its own answer, and no slot is lost. */
    @Test
    void cancellations_race_with_answers() throws Exception {
        var random = ThreadLocalRandom.current();
        for (var round = 0; round < 500; round++) {
            var answers = new ArrayList<CompletableFuture<Answer>>();
            for (var i = 0; i < 6; i++) {
                answers.add(worker.submit(PROBE, Request.of(i % 2 == 0 ? Action.ECHO : Action.DEFER, round + "." + i)));
            }
            for (var spins = random.nextInt(2000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            for (var i = 0; i < 6; i++) {
                var answer = answers.get(i);
                if (random.nextBoolean()) {
                    answer.cancel(false);
                } else {
                    assertEquals(
                            round + "." + i,
                            answer.get(SOON.toSeconds(), TimeUnit.SECONDS).text());
                }
            }
        }
        assertWorks();
    }
}

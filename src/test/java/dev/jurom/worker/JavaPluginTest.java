// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static dev.jurom.worker.ProbePlugin.PROBE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.worker.ProbePlugin.Action;
import dev.jurom.worker.ProbePlugin.Answer;
import dev.jurom.worker.ProbePlugin.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests plugins in Java in real workers. */
class JavaPluginTest {

    /** A second plugin, with the same commands. */
    public static final class OtherPlugin implements WorkerPlugin {

        @Override
        public String name() {
            return "worker_other";
        }

        @Override
        public long version() {
            return 2;
        }

        @Override
        public void command(Command command, Responder responder) {
            responder.reply(command.read(ProbePlugin.REQUEST), ProbePlugin.REQUEST);
        }
    }

    private static final Offload<Request, Answer> OTHER =
            Offload.of("worker_other", 2, ProbePlugin.REQUEST, ProbePlugin.ANSWER);

    private static EmbeddedService service;
    private static Urom urom;
    private static Worker worker;

    @BeforeAll
    static void start() throws InterruptedException {
        service = EmbeddedService.open(usual -> usual.toBuilder()
                .plugin(ProbePlugin.class)
                .plugin(OtherPlugin.class)
                .build());
        urom = Urom.open();
        worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME));
    }

    @AfterAll
    static void end() {
        urom.close();
        service.close();
    }

    private static Answer call(Action action, String text) throws InterruptedException {
        return worker.call(PROBE, Request.of(action, text));
    }

    private static DocaException failure(Action action) {
        return assertThrows(DocaException.class, () -> call(action, "some text"));
    }

    private static void assertFailure(DocaError error, String why, Action action) throws InterruptedException {
        var failure = failure(action);

        assertEquals(error, failure.error(), failure.getMessage());
        assertTrue(failure.getMessage().contains(why), failure.getMessage());
        assertEquals("after it", call(Action.ECHO, "after it").text());
    }

    @Test
    void one_codec_packs_a_command_on_both_sides() throws InterruptedException {
        for (var length = 0; length < 300; length += 7) {
            var text = "x".repeat(length);

            assertEquals(text, call(Action.ECHO, text).text());
        }
    }

    @Test
    void an_exception_fails_its_command_with_class_and_message() throws InterruptedException {
        assertFailure(DocaError.UNEXPECTED, "java.lang.IllegalStateException: on request", Action.THROW);
        assertFailure(DocaError.NOT_PERMITTED, "some text", Action.FAIL);
    }

    @Test
    void a_stack_overflow_or_a_lack_of_memory_fails_only_its_command() throws InterruptedException {
        assertFailure(DocaError.UNEXPECTED, "java.lang.StackOverflowError", Action.OVERFLOW);
        assertFailure(DocaError.NO_MEMORY, "java.lang.OutOfMemoryError", Action.EXHAUST);
    }

    @Test
    void a_command_must_be_answered_once() throws InterruptedException {
        assertFailure(DocaError.UNEXPECTED, "returned without an answer", Action.FORGET);
        assertFailure(DocaError.UNEXPECTED, "answer each command once", Action.TWICE);
        assertFailure(DocaError.AGAIN, "the first answer", Action.DEFER_TWICE);
        assertFailure(DocaError.UNEXPECTED, "after the deferral", Action.DEFER_AND_THROW);
    }

    @Test
    void a_command_that_is_not_a_message_is_rejected() {
        Offload<Long, Long> wrong =
                Offload.of(ProbePlugin.NAME, 1, (length, payload) -> length, response -> response.byteSize());

        var failure = assertThrows(DocaException.class, () -> worker.call(wrong, 3L));

        assertEquals(DocaError.INVALID_VALUE, failure.error());
        assertTrue(failure.getMessage().contains("probe_request"), failure.getMessage());
    }

    @Test
    void an_answer_that_exceeds_a_message_is_an_error_with_both_sizes() {
        var failure = failure(Action.LARGE);

        assertEquals(DocaError.TOO_BIG, failure.error());
        assertTrue(failure.getMessage().contains("its answer has 65536 bytes of at most 4064"), failure.getMessage());
    }

    @Test
    void deferred_answers_come_from_virtual_threads_and_from_progress() throws InterruptedException {
        var requests = IntStream.range(0, 500)
                .mapToObj(i -> Request.of(Action.DEFER, "deferred " + i))
                .toList();

        var answers = worker.callAll(PROBE, requests);

        for (var i = 0; i < requests.size(); i++) {
            assertEquals("deferred " + i, answers.get(i).text());
        }
        assertEquals("progressed", call(Action.PROGRESS, "").text());
    }

    @Test
    void a_command_that_is_packed_while_its_worker_closes_fails_since_the_worker_is_closed() throws Exception {
        var packing = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        var slowly = Offload.<Integer, Integer>of(
                ProbePlugin.NAME,
                1,
                (value, payload) -> {
                    packing.countDown();
                    Waiting.within(Duration.ofSeconds(10), "the worker is closed", () -> closed.getCount() == 0);
                    payload.set(ValueLayout.JAVA_INT_UNALIGNED, 0, value);
                    return Integer.BYTES;
                },
                answer -> 0);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var closing = urom.startWorker(
                    WorkerConfiguration.builder(ProbePlugin.NAME).tasks(1).build());
            closing.submit(PROBE, Request.of(Action.HOLD, "")); // so that the next one is queued
            var failure = executor.submit(() -> closing.submit(slowly, 0).handle((answer, thrown) -> thrown));
            assertTrue(packing.await(10, TimeUnit.SECONDS), "the command is not packed");
            closing.close();
            closed.countDown();

            var thrown = failure.get(10, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS);
            assertTrue(thrown.getMessage().endsWith("is closed"), thrown::toString);
        }
    }

    @Test
    void a_computation_on_another_thread_answers_from_a_copy_of_the_command() throws InterruptedException {
        var requests = IntStream.range(0, 500)
                .mapToObj(i -> Request.of(Action.COMPUTE, "copy " + i))
                .toList();

        var answers = worker.callAll(PROBE, requests);

        for (var i = 0; i < requests.size(); i++) {
            assertEquals("copy " + i, answers.get(i).text());
        }
    }

    @Test
    void an_exception_of_a_computation_or_of_its_executor_fails_its_command() throws InterruptedException {
        assertFailure(DocaError.UNEXPECTED, "java.io.IOException: on another thread", Action.COMPUTE_NOTHING);
        assertFailure(DocaError.AGAIN, "The executor of the plugin has rejected", Action.COMPUTE_TOO_LATE);
    }

    @Test
    void a_computation_learns_that_its_caller_has_left() throws InterruptedException {
        var before = Integer.parseInt(call(Action.CANCELLED, "").text());
        var computed = worker.submit(PROBE, Request.of(Action.COMPUTE_UNTIL_UNWANTED, ""));
        call(Action.ECHO, "it has begun");

        computed.cancel(true);

        var expected = Integer.toString(before + 1);
        Waiting.until(
                "the computation has ended",
                () -> worker.submit(PROBE, Request.of(Action.CANCELLED, ""))
                        .join()
                        .text()
                        .equals(expected));
    }

    @Test
    void a_deferred_response_that_the_plugin_discards_fails_its_command() throws InterruptedException {
        var discarded = worker.submit(PROBE, Request.of(Action.DISCARD, ""));

        Waiting.until("the response is collected", () -> {
            worker.submit(PROBE, Request.of(Action.COLLECT, "")).join();
            return discarded.isDone();
        });

        var failure = assertThrows(CompletionException.class, discarded::join).getCause();
        assertEquals(DocaError.UNEXPECTED, ((DocaException) failure).error());
        assertTrue(failure.getMessage().contains("discarded a deferred response"), failure.getMessage());
    }

    @Test
    void a_payload_of_an_earlier_command_is_closed_to_other_threads() throws InterruptedException {
        call(Action.KEEP_PAYLOAD, "");

        assertEquals("WrongThreadException", call(Action.KEEP_PAYLOAD, "").text());
    }

    @Test
    void an_echo_allocates_nothing() throws InterruptedException {
        var bytes = new byte[64];
        bytes[0] = (byte) Action.ECHO_RAW.ordinal();
        Offload<byte[], Long> echo = Offload.of(
                ProbePlugin.NAME,
                1,
                (request, payload) -> {
                    MemorySegment.copy(request, 0, payload, ValueLayout.JAVA_BYTE, 0, request.length);
                    return request.length;
                },
                MemorySegment::byteSize);
        for (var i = 0; i < 20_000; i++) {
            worker.call(echo, bytes);
        }

        var rounds = new long[3];
        for (var round = 0; round < rounds.length; round++) {
            call(Action.ALLOCATED, "");
            var before = Long.parseLong(call(Action.ALLOCATED, "").text());
            var between = Long.parseLong(call(Action.ALLOCATED, "").text()) - before;
            for (var i = 0; i < 10_000; i++) {
                worker.call(echo, bytes);
            }
            rounds[round] = Long.parseLong(call(Action.ALLOCATED, "").text()) - before - 2 * between;
        }

        // The change of the payload's length makes one view; a byte per command would be 10,000.
        assertTrue(rounds[2] < 5_000, () -> "bytes allocated by 10,000 commands: " + rounds[2]);
    }

    @Test
    void system_exit_ends_the_worker_and_the_host_receives_its_status() throws Exception {
        try (var other = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
            var failure = assertThrows(DocaException.class, () -> other.call(PROBE, Request.of(Action.EXIT, "")));

            assertEquals(DocaError.CONNECTION_RESET, failure.error());
            assertTrue(failure.getMessage().contains("exited with code 3"), failure.getMessage());
        }
        assertEquals("another worker", call(Action.ECHO, "another worker").text());
    }

    @Test
    void a_plugin_is_notified_when_a_host_has_left() throws Exception {
        try (var other = Urom.open();
                var attached = other.startWorker(WorkerConfiguration.builder(ProbePlugin.NAME)
                        .id(worker.id())
                        .build())) {
            attached.call(PROBE, Request.of(Action.ECHO, ""));
        }

        Waiting.until("a departed host", () -> {
            try {
                return Integer.parseInt(call(Action.DEPARTED, "").text()) > 0;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void plugins_in_java_and_c_share_a_worker() throws InterruptedException {
        try (var all = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME, ProbePlugin.NAME, "worker_other"))) {
            for (var i = 0; i < 100; i++) {
                assertEquals(i, all.call(LOOPBACK, (long) i));
                assertEquals("a", all.call(PROBE, Request.of(Action.ECHO, "a")).text());
                assertEquals("b", all.call(OTHER, Request.of(Action.ECHO, "b")).text());
                assertEquals("c", all.call(PROBE, Request.of(Action.DEFER, "c")).text());
            }
        }
    }
}

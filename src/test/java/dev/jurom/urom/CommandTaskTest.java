// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.await;
import static dev.jurom.fixture.ServiceFixture.loopback;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.SubmitFlag;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.graph.GraphCodec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@ForEveryRuntime
class CommandTaskTest {

    private static final int HEADER = 24; // size of a command's header, part of the message size

    private static ServiceFixture fixture;
    private static UromWorker worker;

    @BeforeAll
    static void open() {
        fixture = ServiceFixture.open();
        worker = fixture.startWorker();
    }

    @AfterAll
    static void close() {
        worker.close();
        fixture.close();
    }

    @Test
    void a_command_is_answered_by_the_plugin() {
        try (var task = worker.commandTask(fixture.graph())) {
            assertEquals(0x0123456789abcdefL, loopback(task, 0x0123456789abcdefL));
            assertEquals(DocaError.SUCCESS, task.status());
            assertEquals(16, task.response().byteSize());
        }
    }

    @Test
    void the_payload_is_limited_by_the_maximum_message_size() {
        try (var task = worker.commandTask(fixture.graph())) {
            var capacity = UromService.DEFAULT_MAX_MESSAGE_SIZE - HEADER;
            assertEquals(capacity, task.payload().byteSize());
            assertEquals(capacity, task.payloadLength());

            var refusal = assertThrows(IllegalArgumentException.class, () -> task.setPayloadLength(capacity + 1));
            assertTrue(refusal.getMessage().contains("" + capacity), refusal.getMessage());
            assertThrows(IllegalArgumentException.class, () -> task.setPayloadLength(-1));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> task.payload().set(ValueLayout.JAVA_BYTE, capacity, (byte) 0));
        }
    }

    @Test
    void payloads_of_all_sizes_are_echoed_unchanged() {
        try (var task = worker.commandTask(fixture.graph())) {
            for (var size : new int[] {0, 1, 7, 64, 100, 1000, 4000, 4048}) {
                var start = (int) GraphCodec.packLoopback(size, task.payload());
                for (var i = 0; i < size; i++) {
                    task.payload().set(ValueLayout.JAVA_BYTE, start + i, (byte) (i * 31 + size));
                }
                task.setPayloadLength(start + size).submit();
                await(task);
                task.requireSuccess();

                var response = task.response();
                assertEquals(start + size, response.byteSize());
                assertEquals(-1, response.mismatch(task.payload().asSlice(0, start + size)));
            }
        }
    }

    @Test
    void a_command_rejected_by_the_plugin_completes_with_its_error_and_a_readable_response() {
        try (var task = worker.commandTask(fixture.graph()).setPayloadLength(3)) {
            task.submit();
            await(task);

            assertEquals(DocaError.INVALID_VALUE, task.status());
            assertEquals(
                    DocaError.INVALID_VALUE,
                    assertThrows(DocaException.class, task::requireSuccess).error());
            assertTrue(task.response().byteSize() >= 64);
            assertEquals(0, task.response().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
            assertEquals(6, loopback(task, 6));
        }
    }

    @Test
    void an_unknown_plugin_id_is_rejected_at_submit() {
        try (var task = worker.commandTask(fixture.graph().id() << 1)) {
            assertEquals(
                    DocaError.INVALID_VALUE,
                    assertThrows(DocaException.class, task::submit).error());
            assertFalse(task.isInFlight());
            assertEquals(8, loopback(task.setPlugin(fixture.graph().id()), 8));
        }
    }

    @Test
    void a_task_in_flight_cannot_be_changed_or_submitted_again() {
        try (var task = worker.commandTask(fixture.graph())) {
            task.setPayloadLength(GraphCodec.packLoopback(1, task.payload()));
            task.submit();

            assertTrue(task.isInFlight());
            assertEquals(1, worker.tasksInFlight());
            assertThrows(IllegalStateException.class, task::submit);
            assertThrows(IllegalStateException.class, task::trySubmit);
            assertThrows(IllegalStateException.class, () -> task.submit(EnumSet.noneOf(SubmitFlag.class)));
            assertThrows(IllegalStateException.class, () -> task.setPayloadLength(1));
            assertThrows(IllegalStateException.class, () -> task.setPlugin(1));
            assertThrows(IllegalStateException.class, task::response);
            assertThrows(IllegalStateException.class, task::status);

            await(task);
            assertEquals(0, worker.tasksInFlight());
            assertEquals(1, GraphCodec.loopbackData(task.response()));
        }
    }

    @Test
    void all_ways_to_submit_yield_the_same_response() {
        try (var task = worker.commandTask(fixture.graph())) {
            task.setPayloadLength(GraphCodec.packLoopback(1, task.payload()));
            assertTrue(task.trySubmit());
            await(task);
            assertEquals(1, GraphCodec.loopbackData(task.response()));

            GraphCodec.packLoopback(2, task.payload());
            task.submit(EnumSet.allOf(SubmitFlag.class));
            worker.engine().progressUntil(task::isCompleted, DEADLINE);
            assertEquals(2, GraphCodec.loopbackData(task.response()));
        }
    }

    @Test
    void views_are_created_once_and_throw_after_close() {
        var task = worker.commandTask(fixture.graph());
        loopback(task, 1);
        var response = task.response();
        loopback(task, 2);
        assertSame(response, task.response());
        var views = List.of(task.payload(), response, task.userData());
        assertSame(views.get(0), task.payload());
        assertSame(views.get(2), task.userData());

        task.close();
        task.close();

        for (var view : views) {
            assertThrows(IllegalStateException.class, () -> view.get(ValueLayout.JAVA_BYTE, 0));
        }
        assertFalse(task.isOpen());
        for (Runnable use : List.<Runnable>of(
                task::payload,
                task::response,
                task::userData,
                task::submit,
                task::status,
                () -> task.setPayloadLength(1))) {
            assertThrows(IllegalStateException.class, use::run);
        }
    }

    @Test
    void user_data_is_unchanged_from_submit_to_completion() {
        try (var task = worker.commandTask(fixture.graph())) {
            assertEquals(CommandTask.USER_DATA_SIZE, task.userData().byteSize());
            task.userData().fill((byte) 0x5a);

            loopback(task, 1);

            for (var i = 0; i < CommandTask.USER_DATA_SIZE; i++) {
                assertEquals(0x5a, task.userData().get(ValueLayout.JAVA_BYTE, i));
            }
        }
    }

    @Test
    void a_task_may_be_resubmitted_from_its_own_callback() {
        var answers = new ArrayList<Long>();
        try (var task = worker.commandTask(fixture.graph())) {
            task.onCompletion(done -> {
                answers.add(GraphCodec.loopbackData(done.response()));
                if (answers.size() < 100) {
                    GraphCodec.packLoopback(answers.size(), done.payload());
                    done.submit();
                }
            });
            task.setPayloadLength(GraphCodec.packLoopback(0, task.payload()));
            task.submit();

            assertTrue(fixture.engine().progressUntil(() -> answers.size() == 100, DEADLINE));
        }
        for (var i = 0; i < 100; i++) {
            assertEquals(i, answers.get(i));
        }
    }

    @Test
    void a_task_may_be_closed_from_its_own_callback() {
        var task = worker.commandTask(fixture.graph()).onCompletion(CommandTask::close);
        task.setPayloadLength(GraphCodec.packLoopback(0, task.payload()));

        task.submit();

        assertTrue(fixture.engine().progressUntil(() -> !task.isOpen(), DEADLINE));
    }

    @Test
    void progress_throws_the_exception_of_a_callback() {
        try (var task = worker.commandTask(fixture.graph())) {
            task.setPayloadLength(GraphCodec.packLoopback(3, task.payload()));
            for (var thrown : List.of(
                    new ArithmeticException("unchecked"),
                    new AssertionError("error"),
                    new StackOverflowError("deep"))) {
                task.onCompletion(done -> sneakyThrow(thrown));
                task.submit();

                assertSame(
                        thrown,
                        assertThrows(Throwable.class, () -> fixture.engine().progressUntil(() -> false, DEADLINE)));
                assertTrue(task.isCompleted());
            }
            assertFalse(fixture.engine().progress());
            task.onCompletion(null);
            assertEquals(4, loopback(task, 4));
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneakyThrow(Throwable throwable) throws T {
        throw (T) throwable;
    }

    @Test
    void each_progress_delivers_one_completion_in_order_of_arrival() {
        var tasks = new ArrayList<CommandTask>();
        var order = new ArrayList<Long>();
        for (var i = 0; i < 32; i++) {
            var task = worker.commandTask(fixture.graph())
                    .onCompletion(done -> order.add(GraphCodec.loopbackData(done.response())));
            task.setPayloadLength(GraphCodec.packLoopback(i, task.payload()));
            task.submit();
            tasks.add(task);
        }
        assertEquals(32, fixture.engine().tasksInFlight());

        while (order.size() < 32) {
            var before = order.size();
            var ran = fixture.engine().progress();
            assertEquals(ran ? before + 1 : before, order.size());
        }

        for (var i = 0; i < 32; i++) {
            assertEquals(i, order.get(i));
        }
        tasks.forEach(CommandTask::close);
    }

    @Test
    void a_completion_wakes_a_waiting_engine() {
        try (var task = worker.commandTask(fixture.graph())) {
            task.setPayloadLength(GraphCodec.packLoopback(3, task.payload()));
            task.submit();
            while (!task.isCompleted()) {
                assertTrue(fixture.engine().waitForEvent(DEADLINE), "the engine was not woken");
                while (fixture.engine().progress()) {
                    Thread.onSpinWait();
                }
            }
            assertEquals(3, GraphCodec.loopbackData(task.response()));
        }
    }

    @Test
    void a_response_is_writable() {
        try (var task = worker.commandTask(fixture.graph())) {
            loopback(task, 3);
            task.response().set(ValueLayout.JAVA_LONG, 8, 4);
            assertEquals(4, GraphCodec.loopbackData(task.response()));
        }
    }

    @Test
    void a_flush_does_not_complete_tasks_in_flight() {
        try (var task = worker.commandTask(fixture.graph())) {
            task.setPayloadLength(GraphCodec.packLoopback(3, task.payload()));
            task.submit(EnumSet.noneOf(SubmitFlag.class));
            worker.flush();
            assertTrue(task.isInFlight());
            await(task);
            task.requireSuccess();
            assertEquals(3, GraphCodec.loopbackData(task.response()));
        }
    }

    @Test
    void access_to_a_view_from_another_thread_is_rejected() {
        try (var task = worker.commandTask(fixture.graph())) {
            MemorySegment view = task.payload();
            dev.jurom.fixture.OtherThread.run(
                    "intruder",
                    () -> assertThrows(WrongThreadException.class, () -> view.get(ValueLayout.JAVA_BYTE, 0)));
        }
    }
}

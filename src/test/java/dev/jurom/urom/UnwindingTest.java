// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.loopback;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.ContextState;
import dev.jurom.core.Device;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.BlockingCall;
import dev.jurom.plugin.graph.GraphCodec;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests closing and cancelling while a worker does not answer because its process is suspended. */
class UnwindingTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    /** Commands of this size do not fit into the ring to the worker, so that some are queued in the library. */
    private static final int LARGE_MESSAGE = 1 << 20;

    private static final int LARGE_COMMANDS = 16;

    /** Attempts with a zero timeout of which at least one times out. */
    private static final int QUICK_ANSWERS = 1000;

    private ServiceFixture fixture;

    @BeforeEach
    void open() {
        fixture = ServiceFixture.open(LARGE_MESSAGE);
    }

    @AfterEach
    void close() {
        fixture.close();
        assertEquals(List.of(), workerProcesses());
    }

    @Test
    void a_worker_can_be_closed_right_after_a_timeout() {
        var worker = fixture.startWorker();
        signal("STOP");

        timeOut(worker);
        signal("CONT");
        worker.close();

        assertFalse(worker.isOpen());
    }

    @Test
    void a_worker_that_stays_unresponsive_can_be_closed() {
        var worker = fixture.startWorker();
        signal("STOP");
        try {
            timeOut(worker);
            timeOut(worker);
            worker.close();

            assertFalse(worker.isOpen());
        } finally {
            signal("CONT");
        }
    }

    private void timeOut(UromWorker worker) {
        assertEquals(
                DocaError.TIME_OUT,
                assertThrows(
                                DocaException.class,
                                () -> BlockingCall.run(
                                        worker,
                                        fixture.graph(),
                                        task -> task.setPayloadLength(GraphCodec.packLoopback(1, task.payload())),
                                        CommandTask::status,
                                        SHORT))
                        .error());
    }

    @Test
    void an_abandoned_task_is_closed_for_its_owner_at_once_and_for_the_library_later() {
        try (var worker = fixture.worker().setMaxTasks(1)) {
            worker.startAndWait(DEADLINE);
            signal("STOP");
            var completed = new ArrayList<CommandTask>();
            var task = submitted(worker).onCompletion(completed::add);
            var views = List.of(task.payload(), task.userData());

            task.close();
            task.close();

            assertFalse(task.isOpen());
            assertFalse(task.isInFlight());
            for (var view : views) {
                assertThrows(IllegalStateException.class, () -> view.get(ValueLayout.JAVA_BYTE, 0));
            }
            for (Runnable use : List.<Runnable>of(
                    task::payload, task::response, task::status, task::submit, () -> task.setPayloadLength(1))) {
                assertThrows(IllegalStateException.class, use::run);
            }
            assertEquals(1, worker.tasksInFlight());
            assertEquals(
                    DocaError.NO_MEMORY,
                    assertThrows(DocaException.class, () -> worker.commandTask(fixture.graph()))
                            .error());

            signal("CONT");
            assertTrue(fixture.engine().progressUntil(() -> worker.tasksInFlight() == 0, DEADLINE));

            assertEquals(List.of(), completed);
            try (var next = worker.commandTask(fixture.graph())) {
                assertEquals(2, loopback(next, 2));
            }
        }
    }

    @Test
    void closing_a_pool_abandons_its_tasks_in_flight() {
        var worker = fixture.startWorker();
        var pool = worker.commandTaskPool(fixture.graph().id(), 3);
        var task = pool.tasks().getFirst();
        signal("STOP");
        task.setPayloadLength(GraphCodec.packLoopback(1, task.payload()));
        task.submit();
        assertThrows(IllegalStateException.class, task::close);
        var view = task.payload();

        pool.close();
        signal("CONT");

        assertThrows(IllegalStateException.class, () -> view.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(1, worker.tasksInFlight());
        worker.close();
    }

    @Test
    void a_worker_with_an_open_task_in_flight_cannot_be_closed() {
        var worker = fixture.startWorker();
        signal("STOP");
        var held = submitted(worker);
        submitted(worker).close();

        var refusal = assertThrows(IllegalStateException.class, worker::close);

        assertTrue(refusal.getMessage().contains("1 of its tasks"), refusal.getMessage());
        assertEquals(ContextState.RUNNING, worker.state());
        signal("CONT");
        ServiceFixture.await(held);
        held.close();
        worker.close();
    }

    @Test
    void a_callback_may_abandon_a_task_but_not_wait_for_it() {
        var worker = fixture.startWorker();
        var first = submitted(worker);
        var second = submitted(worker);
        var refusals = new ArrayList<String>();
        first.onCompletion(done -> {
            second.close();
            done.close();
            refusals.add(
                    assertThrows(IllegalStateException.class, worker::close).getMessage());
        });

        assertTrue(fixture.engine().progressUntil(() -> !refusals.isEmpty(), DEADLINE));

        assertTrue(refusals.getFirst().contains("inside a callback"), refusals.getFirst());
        worker.close();
    }

    @Test
    void a_listener_may_close_its_context_when_idle() {
        var worker = fixture.startWorker();
        worker.onStateChanged((context, previous, next) -> {
            if (next == ContextState.IDLE) {
                context.close();
            }
        });
        submitted(worker).close();

        worker.close();

        assertFalse(worker.isOpen());
    }

    @Test
    void a_close_that_times_out_reports_the_remaining_tasks_and_may_be_repeated() {
        var worker = fixture.startWorker();
        signal("STOP");
        var refusal = closeTooEarly(worker);

        assertEquals(DocaError.TIME_OUT, refusal.error());
        assertTrue(worker.tasksInFlight() > 0);
        assertTrue(
                refusal.getMessage().contains(" " + worker.tasksInFlight() + " abandoned tasks"), refusal.getMessage());
        assertTrue(worker.isOpen());
        assertThrows(IllegalStateException.class, fixture.service()::close);

        signal("CONT");
        worker.close();
        assertFalse(worker.isOpen());
    }

    @Test
    void an_unreachable_worker_with_tasks_in_flight_is_not_collected() {
        var worker = forgottenWorker();
        for (var i = 0; i < 3; i++) {
            System.gc();
        }

        var kept = worker.get();
        assertNotNull(kept, "the worker was collected");
        signal("CONT");
        kept.close();
        kept.service().close();
        kept.service().device().close();
        kept.engine().close();
    }

    private WeakReference<UromWorker> forgottenWorker() {
        var service = UromService.create(ProgressEngine.create(), Device.open()).setMaxMessageSize(LARGE_MESSAGE);
        service.start();
        var worker = UromWorker.create(service.engine(), service).setPlugins(fixture.graph());
        worker.startAndWait(DEADLINE);
        signal("STOP");
        closeTooEarly(worker);
        return new WeakReference<>(worker);
    }

    /** Abandons more commands than a suspended worker accepts, and closes their context. */
    private DocaException closeTooEarly(UromWorker worker) {
        IntStream.range(0, LARGE_COMMANDS)
                .mapToObj(i -> worker.commandTask(fixture.graph()))
                .peek(task -> task.setPayloadLength(task.payload().byteSize()))
                .peek(CommandTask::submit)
                .toList()
                .forEach(CommandTask::close);
        return assertThrows(DocaException.class, () -> worker.close(SHORT));
    }

    @Test
    void a_service_can_be_closed_right_after_a_timeout() {
        var service = UromService.create(fixture.engine(), fixture.device()).setMaxMessageSize(LARGE_MESSAGE);
        service.start();

        assertTrue(IntStream.range(0, QUICK_ANSWERS).anyMatch(i -> isTooLate(service)));
        assertEquals(1, service.tasksInFlight());
        service.close();

        assertFalse(service.isOpen());
    }

    private static boolean isTooLate(UromService service) {
        try {
            service.workersByGroup(1, Duration.ZERO);
            return false;
        } catch (DocaException e) {
            return e.error() == DocaError.TIME_OUT;
        }
    }

    private CommandTask submitted(UromWorker worker) {
        var task = worker.commandTask(fixture.graph());
        task.setPayloadLength(GraphCodec.packLoopback(1, task.payload()));
        task.submit();
        return task;
    }

    private static void signal(String name) {
        workerProcesses().forEach(process -> Command.run("kill", "-" + name, Long.toString(process.pid())));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.fixture.ServiceFixture.loopback;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.Context;
import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.OtherThread;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@ForEveryRuntime
class UromWorkerTest {

    private static ServiceFixture fixture;

    @BeforeAll
    static void open() {
        fixture = ServiceFixture.open();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void a_worker_passes_through_all_states_and_can_be_restarted() {
        var states = new ArrayList<ContextState>();
        try (var worker = fixture.worker()) {
            worker.onStateChanged((context, previous, next) -> states.add(next));

            for (var i = 0; i < 2; i++) {
                assertEquals(ContextState.IDLE, worker.state());
                assertFalse(worker.start());
                assertEquals(ContextState.STARTING, worker.state());
                assertEquals(OptionalInt.empty(), worker.process());
                assertTrue(worker.engine().progressUntil(() -> worker.state() == ContextState.RUNNING, DEADLINE));
                assertFalse(worker.stop());
                assertEquals(ContextState.STOPPING, worker.state());
                assertTrue(worker.engine().progressUntil(() -> worker.state() == ContextState.IDLE, DEADLINE));
                assertTrue(worker.stop());
            }
        }
        assertEquals(
                List.of(
                        ContextState.STARTING,
                        ContextState.RUNNING,
                        ContextState.STOPPING,
                        ContextState.IDLE,
                        ContextState.STARTING,
                        ContextState.RUNNING,
                        ContextState.STOPPING,
                        ContextState.IDLE),
                states);
    }

    @Test
    void the_service_assigns_a_new_id_if_any_is_requested() {
        try (var one = fixture.startWorker();
                var other = fixture.startWorker()) {
            assertNotEquals(WorkerId.ANY, one.id());
            assertNotEquals(one.id(), other.id());
            assertEquals(OptionalInt.empty(), one.group());
        }
    }

    @Test
    void contexts_with_the_same_id_share_one_worker_process() {
        var id = WorkerId.compose(7, 3, 2);
        try (var first = fixture.worker().setId(id).setGroup(77)) {
            first.startAndWait(DEADLINE);
            try (var second = fixture.worker().setId(id)) {
                second.startAndWait(DEADLINE);

                assertEquals(first.process().orElseThrow(), second.process().orElseThrow());
                assertEquals(id, first.id());
                assertEquals(id, second.id());
                assertArrayEquals(new long[] {id}, fixture.service().workersByGroup(77, DEADLINE));
                assertEquals(OptionalInt.of(77), second.group());
            }
            try (var task = first.commandTask(fixture.graph())) {
                assertEquals(5, loopback(task, 5));
            }
        }
        assertEquals(0, fixture.service().workersByGroup(77, DEADLINE).length);
    }

    @Test
    void workers_are_listed_by_group() {
        try (var a = fixture.worker().setGroup(1);
                var b = fixture.worker().setGroup(-1);
                var c = fixture.worker().setGroup(1);
                var none = fixture.worker()) {
            for (var worker : List.of(a, b, c, none)) {
                worker.startAndWait(DEADLINE);
            }

            assertArrayEquals(sorted(a.id(), c.id()), sorted(fixture.service().workersByGroup(1, DEADLINE)));
            assertArrayEquals(sorted(b.id()), sorted(fixture.service().workersByGroup(-1, DEADLINE)));
            assertEquals(0, fixture.service().workersByGroup(0, DEADLINE).length);
        }
    }

    private static long[] sorted(long... ids) {
        Arrays.sort(ids);
        return ids;
    }

    @Test
    void a_workers_by_group_task_can_be_resubmitted() {
        try (var worker = fixture.worker().setGroup(5)) {
            worker.startAndWait(DEADLINE);
            var answers = new ArrayList<Integer>();
            try (var task = fixture.service()
                    .workersByGroupTask(5)
                    .onCompletion(done -> answers.add(done.workerIds().length))) {
                assertThrows(IllegalStateException.class, task::workerIds);
                task.submit();
                assertThrows(IllegalStateException.class, () -> task.setGroup(6));
                assertTrue(fixture.engine().progressUntil(task::isCompleted, DEADLINE));
                task.setGroup(6).submit();
                assertTrue(fixture.engine().progressUntil(task::isCompleted, DEADLINE));
            }
            assertEquals(List.of(1, 0), answers);
        }
    }

    @Test
    void settings_are_rejected_after_the_worker_is_started() {
        try (var worker = fixture.startWorker()) {
            assertError(DocaError.BAD_STATE, () -> worker.setId(1));
            assertError(DocaError.BAD_STATE, () -> worker.setGroup(1));
            assertError(DocaError.BAD_STATE, () -> worker.setMaxTasks(2));
            assertError(DocaError.BAD_STATE, () -> worker.setPlugins(fixture.graph()));
            assertError(
                    DocaError.BAD_STATE,
                    () -> worker.setCpuSet(fixture.service().cpuSet()));
            assertError(DocaError.BAD_STATE, () -> worker.setEnvironment(Map.of("A", "b")));
            assertError(DocaError.BAD_STATE, () -> fixture.service().setMaxMessageSize(8192));
            assertError(DocaError.BAD_STATE, () -> fixture.service().setMaxWorkers(2));
            assertError(DocaError.BAD_STATE, worker::start);
        }
    }

    @Test
    void settings_out_of_range_are_rejected() {
        try (var worker = fixture.worker()) {
            assertError(DocaError.INVALID_VALUE, () -> worker.setPlugins(0));
            assertError(DocaError.INVALID_VALUE, () -> worker.setPlugins());
            assertError(DocaError.INVALID_VALUE, () -> worker.setPlugins(1L << 61));
            for (var tasks : new int[] {0, 3, -1, Integer.MIN_VALUE, 2 * UromWorker.MAX_TASKS}) {
                var refusal = assertThrows(IllegalArgumentException.class, () -> worker.setMaxTasks(tasks));
                assertTrue(refusal.getMessage().contains("from 1 to 65536"), refusal.getMessage());
            }
            worker.setMaxTasks(UromWorker.MAX_TASKS);
            assertThrows(IllegalArgumentException.class, () -> worker.commandTaskPool(1, 0));
            assertError(DocaError.INVALID_VALUE, () -> worker.setCpuSet(CpuSet.of(1023)));
            assertError(DocaError.INVALID_VALUE, () -> worker.setEnvironment(Map.of()));
            assertThrows(IllegalArgumentException.class, () -> worker.setEnvironment(Map.of("A=B", "c")));
            assertThrows(IllegalArgumentException.class, () -> worker.setEnvironment(Map.of("A", "b\0c")));
        }
    }

    @Test
    void setting_the_environment_of_an_existing_worker_fails_the_start() {
        try (var first = fixture.startWorker();
                var second = fixture.worker().setId(first.id()).setEnvironment(Map.of("A", "b"))) {
            var failure = assertThrows(DocaException.class, () -> second.startAndWait(DEADLINE));
            assertEquals(ContextState.IDLE, second.state());
            if (DocaRuntime.current().kind() == RuntimeKind.SOFTWARE) {
                assertEquals(DocaError.ALREADY_EXIST, failure.error());
                assertTrue(
                        failure.getMessage().contains("runs already, and its environment cannot" + " be set any more"),
                        failure::getMessage);
                assertEquals(failure.getMessage(), second.startFailure().getMessage());
            } else {
                assertEquals(DocaError.INITIALIZATION, failure.error());
            }
        }
    }

    @Test
    void any_subset_of_the_services_cpu_set_is_accepted() {
        var cpus = fixture.service().cpuSet();
        assertFalse(cpus.isEmpty());
        try (var worker =
                fixture.worker().setCpuSet(CpuSet.of(cpus.cpus().findFirst().orElseThrow()))) {
            worker.startAndWait(DEADLINE);
            assertEquals(ContextState.RUNNING, worker.state());
        }
    }

    @Test
    void a_command_task_beyond_the_limit_is_rejected_until_one_is_closed() {
        try (var worker = fixture.worker().setMaxTasks(2)) {
            worker.startAndWait(DEADLINE);
            var one = worker.commandTask(fixture.graph());
            var two = worker.commandTask(fixture.graph());

            assertError(DocaError.NO_MEMORY, () -> worker.commandTask(fixture.graph()));

            one.close();
            worker.commandTask(fixture.graph()).close();
            two.close();
        }
    }

    @Test
    void tasks_can_only_be_created_while_their_context_runs() {
        try (var worker = fixture.worker()) {
            assertError(DocaError.BAD_STATE, () -> worker.commandTask(fixture.graph()));
        }
    }

    @Test
    void a_service_and_an_engine_cannot_be_closed_before_their_workers() {
        try (var engine = ProgressEngine.create();
                var worker = UromWorker.create(engine, fixture.service())) {
            var refusal = assertThrows(IllegalStateException.class, fixture.service()::close);
            assertTrue(refusal.getMessage().contains(worker.toString()), refusal.getMessage());
            assertThrows(IllegalStateException.class, engine::close);
            assertThrows(IllegalStateException.class, fixture.device()::close);
            assertEquals(ContextState.RUNNING, fixture.service().state());
        }
    }

    @Test
    void a_worker_cannot_be_closed_or_restarted_before_its_tasks() {
        var worker = fixture.startWorker();
        var task = worker.commandTask(fixture.graph());

        assertTrue(assertThrows(IllegalStateException.class, worker::close)
                .getMessage()
                .contains("1 of its tasks"));
        assertEquals(ContextState.RUNNING, worker.state());

        task.close();
        worker.close();
        worker.close();
        assertThrows(IllegalStateException.class, worker::state);
        assertThrows(IllegalStateException.class, worker::start);
        assertThrows(IllegalStateException.class, () -> worker.commandTask(fixture.graph()));
    }

    @Test
    void a_context_may_be_closed_by_its_listener_when_idle() {
        var worker = fixture.startWorker();
        worker.onStateChanged((context, previous, next) -> {
            if (next == ContextState.IDLE) {
                context.close();
            }
        });

        worker.stop();

        assertTrue(fixture.engine().progressUntil(() -> !worker.isOpen(), DEADLINE));
    }

    @Test
    void the_exception_of_a_listener_is_thrown_by_the_call_that_runs_it() {
        var fail = new boolean[] {true};
        var worker = fixture.worker();
        worker.onStateChanged((context, previous, next) -> {
            if (fail[0]) {
                throw new ArithmeticException("at " + next);
            }
        });

        assertEquals(
                "at STARTING",
                assertThrows(ArithmeticException.class, worker::start).getMessage());
        assertEquals(
                "at RUNNING",
                assertThrows(ArithmeticException.class, () -> fixture.engine().progressUntil(() -> false, DEADLINE))
                        .getMessage());
        assertEquals(ContextState.RUNNING, worker.state());

        fail[0] = false;
        worker.close();
    }

    @Test
    void closing_from_a_callback_before_idle_is_rejected() {
        var refusals = new ArrayList<IllegalStateException>();
        var worker = fixture.worker();
        worker.onStateChanged((context, previous, next) -> {
            if (next == ContextState.RUNNING) {
                refusals.add(assertThrows(IllegalStateException.class, context::close));
                refusals.add(assertThrows(IllegalStateException.class, fixture.engine()::progress));
            }
        });

        worker.startAndWait(DEADLINE);

        assertEquals(2, refusals.size());
        worker.close();
    }

    @Test
    void every_method_rejects_calls_from_another_thread_without_effect() {
        try (var worker = fixture.startWorker();
                var task = worker.commandTask(fixture.graph())) {
            OtherThread.run("intruder", () -> {
                List<Runnable> uses = List.of(
                        worker::state,
                        worker::start,
                        worker::stop,
                        worker::close,
                        worker::id,
                        worker::group,
                        worker::flush,
                        worker::tasksInFlight,
                        () -> worker.setId(1),
                        () -> worker.commandTask(fixture.graph()),
                        task::payload,
                        task::submit,
                        task::trySubmit,
                        task::close,
                        task::userData,
                        task::response,
                        () -> task.setPayloadLength(1),
                        () -> task.onCompletion(t -> {}),
                        fixture.service()::plugins,
                        fixture.service()::cpuSet,
                        () -> UromWorker.create(fixture.engine(), fixture.service()));
                for (var use : uses) {
                    assertThrows(WrongThreadException.class, use::run);
                }
                return null;
            });
            assertEquals(9, loopback(task, 9));
        }
    }

    @Test
    void workers_of_one_service_start_and_stop_in_several_threads_concurrently() {
        var threads = new ArrayList<java.util.concurrent.CompletableFuture<Long>>();
        for (var i = 0; i < 3; i++) {
            var value = i;
            threads.add(OtherThread.start("host-" + i, () -> {
                try (var engine = ProgressEngine.create();
                        var worker =
                                UromWorker.create(engine, fixture.service()).setPlugins(fixture.graph())) {
                    worker.startAndWait(DEADLINE);
                    try (var task = worker.commandTask(fixture.graph())) {
                        return loopback(task, value);
                    }
                }
            }));
        }
        assertTrue(fixture.engine()
                .progressUntil(() -> threads.stream().allMatch(thread -> thread.isDone()), DEADLINE));
        for (var i = 0; i < 3; i++) {
            assertEquals(i, threads.get(i).join());
        }
    }

    @Test
    void a_state_listener_receives_its_context() {
        var contexts = new ArrayList<Context>();
        try (var worker = fixture.worker()) {
            worker.onStateChanged((context, previous, next) -> contexts.add(context));
            worker.startAndWait(DEADLINE);
            assertEquals(List.of(worker, worker), contexts);
        }
    }

    private static void assertError(DocaError expected, Runnable action) {
        var failure = assertThrows(DocaException.class, action::run);
        assertEquals(expected, failure.error(), failure.getMessage());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.plugin.graph.GraphPlugin;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the state of a worker changes with the failure of its first command. */
@ForEveryRuntime
class WorkerExitTest {

    private static final int ROUNDS = 5;

    /** A command that fails. Returns the state of the worker when the failure is observed. */
    private enum Use {
        CALL {
            @Override
            String failing(Worker worker) {
                return stateAfter(worker, () -> worker.call(LOOPBACK, 1L));
            }
        },
        BATCH {
            @Override
            String failing(Worker worker) {
                return stateAfter(worker, () -> worker.callAll(LOOPBACK, List.of(1L, 2L)));
            }
        },
        FUTURE {
            @Override
            String failing(Worker worker) {
                return stateAfter(worker, () -> worker.submit(LOOPBACK, 1L).join());
            }
        },
        CALLBACK {
            @Override
            String failing(Worker worker) {
                return worker.submit(LOOPBACK, 1L)
                        .handle((answer, failure) -> failure == null
                                ? "answered"
                                : stateAfter(worker, () -> {
                                    throw new CompletionException(failure);
                                }))
                        .join();
            }
        },
        VIRTUAL {
            @Override
            String failing(Worker worker) throws Exception {
                try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                    return threads.submit(() -> CALL.failing(worker)).get(1, TimeUnit.MINUTES);
                }
            }
        };

        abstract String failing(Worker worker) throws Exception;

        private static String stateAfter(Worker worker, Callable<?> use) {
            try {
                use.call();
                return "answered";
            } catch (Exception e) {
                var running = worker.isRunning();
                var exited = worker.onExit().isDone();
                var cause = e instanceof CompletionException ? e.getCause() : e;
                return cause instanceof DocaException failure && failure.error() == DocaError.CONNECTION_RESET
                        ? "running " + running + ", exited " + exited
                        : cause.toString();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Use.class)
    void a_worker_whose_command_has_failed_with_its_exit_is_not_running_any_more(Use use) throws Exception {
        try (var urom = Urom.open()) {
            for (var round = 0; round < ROUNDS; round++) {
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
                var process = Long.toString(workerProcesses().getFirst().pid());
                var killed = CompletableFuture.runAsync(() -> Command.run("kill", "-KILL", process));
                var state = use.failing(worker);
                while (state.equals("answered")) {
                    state = use.failing(worker);
                }
                assertEquals("running false, exited true", state);
                killed.join();
                worker.close();
            }
        }
    }

    @Test
    void a_loop_that_restarts_workers_loses_one_command_for_each_exit() throws Exception {
        try (var urom = Urom.open()) {
            var failures = 0;
            for (var round = 1; round <= ROUNDS; round++) {
                try (var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
                    Command.run(
                            "kill",
                            "-KILL",
                            Long.toString(workerProcesses().getFirst().pid()));
                    while (worker.isRunning()) {
                        try {
                            worker.call(LOOPBACK, 1L);
                        } catch (DocaException e) {
                            failures++;
                        }
                    }
                }
                if (failures > round) {
                    throw new AssertionError(failures + " commands failed in " + round + " rounds");
                }
            }
        }
    }
}

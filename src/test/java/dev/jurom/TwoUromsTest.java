// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.Uninterrupted.call;
import static dev.jurom.Uninterrupted.submit;
import static dev.jurom.fixture.ServiceFixture.workerProcesses;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.OtherThread;
import dev.jurom.plugin.graph.GraphPlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests two facades of a program whose dependent actions wait for answers of the other facade. */
@ForEveryRuntime
@Timeout(60)
class TwoUromsTest {

    /** Less than the default call timeout, which would hide a hang. */
    private static final long SOON_SECONDS = 20;

    private static final int ROUNDS = 200;

    private final Urom[] uroms = new Urom[2];
    private final Worker[] workers = new Worker[2];

    @BeforeEach
    void open() throws InterruptedException {
        for (var i = 0; i < 2; i++) {
            uroms[i] = Urom.open();
            workers[i] = uroms[i].startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        }
    }

    @AfterEach
    void close() {
        for (var urom : uroms) {
            urom.close();
        }
        assertEquals(List.of(), workerProcesses());
    }

    @Test
    void each_facade_calls_the_other_while_both_wait() throws Exception {
        whileBothWait((worker, value) -> call(worker, LOOPBACK, value));
    }

    @Test
    void each_facade_joins_a_future_of_the_other_while_both_wait() throws Exception {
        whileBothWait((worker, value) -> submit(worker, LOOPBACK, value).join());
    }

    @Test
    void each_facade_joins_a_dependent_future_of_the_other_while_both_wait() throws Exception {
        whileBothWait((worker, value) -> submit(worker, LOOPBACK, value - 1)
                .thenApply(answer -> answer + 1)
                .join());
    }

    @Test
    void each_facade_starts_and_closes_a_worker_of_the_other_while_both_wait() throws Exception {
        var barrier = new CyclicBarrier(2);
        var answers = new ArrayList<CompletableFuture<Long>>();
        for (var i = 0; i < 2; i++) {
            var other = uroms[1 - i];
            answers.add(waitInDependent(
                    workers[i],
                    barrier,
                    (worker, value) -> {
                        try (var another =
                                Uninterrupted.run(() -> other.startWorker(WorkerConfiguration.of(GraphPlugin.NAME)))) {
                            return call(another, LOOPBACK, value);
                        }
                    },
                    null,
                    4));
        }
        for (var answer : answers) {
            assertEquals(5, soon(answer));
        }
    }

    @Test
    void a_chain_of_dependent_actions_alternates_between_the_facades() throws Exception {
        var last = soon(workers[0].submit(LOOPBACK, 0L).thenApply(value -> bounce(value, 1)));

        assertEquals(20, last.longValue());
    }

    /** Calls the workers alternately, each in an action that depends on the previous answer. */
    private long bounce(long value, int next) {
        return value == 20
                ? value
                : submit(workers[next], LOOPBACK, value + 1)
                        .thenApply(answer -> bounce(answer, 1 - next))
                        .join();
    }

    /** Two dependent actions, one of each facade, wait for answers of the other facade. */
    private void whileBothWait(BiFunction<Worker, Long, Long> wait) throws Exception {
        for (var round = 0; round < ROUNDS; round++) {
            var barrier = new CyclicBarrier(2);
            var answers = new ArrayList<CompletableFuture<Long>>();
            for (var i = 0; i < 2; i++) {
                answers.add(waitInDependent(workers[i], barrier, wait, workers[1 - i], round));
            }
            for (var answer : answers) {
                assertEquals(round + 1L, soon(answer));
            }
        }
    }

    private static CompletableFuture<Long> waitInDependent(
            Worker worker, CyclicBarrier barrier, BiFunction<Worker, Long, Long> wait, Worker other, long value) {
        return OtherThread.start(
                "waits",
                () -> worker.submit(LOOPBACK, value)
                        .thenApply(answer -> {
                            meet(barrier);
                            return wait.apply(other, answer + 1);
                        })
                        .join());
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(SOON_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("the other action did not start", e);
        }
    }

    private static <T> T soon(CompletableFuture<T> future) throws Exception {
        return future.get(SOON_SECONDS, TimeUnit.SECONDS);
    }
}

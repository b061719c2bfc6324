// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.Device;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.ServiceLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The examples in the Javadoc of the package. */
class FacadeExampleTest {

    @Test
    void a_call_is_answered() throws InterruptedException {
        long answer;

        // @start region="call"
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            answer = worker.call(GraphPlugin.LOOPBACK, 42L);
        }
        // @end

        assertEquals(42, answer);
    }

    @Test
    void another_service_answers_if_one_fails() throws InterruptedException {
        long answer;

        try (var fixture = ServiceFixture.open()) {
            var address = fixture.embedded().address();

            // @start region="services"
            var near = UromConfiguration.builder()
                    .service(ServiceLocation.embedded())
                    .build();
            var far = UromConfiguration.builder()
                    .service(ServiceLocation.address(address)) // as "node1:7471" or "unix:/run/jurom/urom.sock"
                    .build();
            try (var urom = Urom.open(near);
                    var other = Urom.open(far);
                    var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
                    var substitute = other.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
                try {
                    answer = worker.call(GraphPlugin.LOOPBACK, 42L);
                } catch (DocaException e) { // with CONNECTION_RESET if the worker has exited
                    answer = substitute.call(GraphPlugin.LOOPBACK, 42L);
                }
            }
            // @end
        }

        assertEquals(42, answer);
    }

    @Test
    void a_pending_answer_is_a_future() throws InterruptedException {
        long answer;

        // @start region="submit"
        var configuration = UromConfiguration.builder()
                .device(Device.list().getFirst().name())
                .callTimeout(Duration.ofSeconds(5)) // then a future fails with TIME_OUT
                .build();
        try (var urom = Urom.open(configuration);
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var one = worker.submit(GraphPlugin.LOOPBACK, 1L);
            var two = worker.submit(GraphPlugin.LOOPBACK, 2L);
            answer = one.thenCombine(two, Long::sum).join();
        }
        // @end

        assertEquals(3, answer);
    }

    @Test
    void virtual_threads_offload_and_an_interrupt_cancels() throws Exception {
        var sum = 0L;

        // @start region="threads"
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Long>>();
            for (var i = 0L; i < 1000; i++) {
                var value = i;
                answers.add(threads.submit(() -> worker.call(GraphPlugin.LOOPBACK, value)));
            }
            for (var answer : answers) {
                sum += answer.get(10, TimeUnit.SECONDS);
            }
        }
        // @end

        assertEquals(999 * 500, sum);
    }

    @Test
    void unanswered_calls_in_virtual_threads_can_be_interrupted() throws Exception {
        // @start region="interrupt"
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            suspend(worker); // @replace regex='suspend.*' replacement="// The worker hangs."
            var one = threads.submit(() -> worker.call(GraphPlugin.LOOPBACK, 1L));
            var other = threads.submit(() -> worker.call(GraphPlugin.LOOPBACK, 2L));

            one.cancel(true); // interrupts its thread, whose call throws InterruptedException
            threads.shutdownNow(); // interrupts the remaining threads
            var ended = threads.awaitTermination(10, TimeUnit.SECONDS);
            resume(worker); // @replace regex='resume.*' replacement=""

            assertTrue(ended && one.isCancelled());
            assertEquals(InterruptedException.class, other.exceptionNow().getClass());
            assertEquals(3, worker.call(GraphPlugin.LOOPBACK, 3L)); // it serves others
        }
        // @end
    }

    private static void suspend(Worker worker) {
        assertTrue(worker.isRunning());
        signal("-STOP");
    }

    private static void resume(Worker worker) {
        assertTrue(worker.isRunning());
        signal("-CONT");
    }

    private static void signal(String name) {
        ServiceFixture.workerProcesses().forEach(process -> Command.run("kill", name, Long.toString(process.pid())));
    }
}

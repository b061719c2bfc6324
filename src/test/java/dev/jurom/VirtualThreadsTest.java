// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.fixture.ServiceFixture.DEADLINE;
import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.ForEveryRuntime;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.plugin.graph.GraphPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests many virtual threads that share a worker with few slots. */
@ForEveryRuntime
class VirtualThreadsTest {

    private static final int THREADS = 20;
    private static final int COMMANDS = 500; // per thread
    private static final int TASKS = 4; // far fewer than threads, so threads wait for slots

    /** The minimum duration of a relevant pinning event, which excludes short locks of the JDK. */
    private static final Duration PINNED = Duration.ofMillis(1);

    @Test
    void commands_cancellations_and_timeouts_end_and_pin_no_carrier(@TempDir Path directory) throws Exception {
        var file = directory.resolve("pinned.jfr");
        try (var recording = new Recording();
                var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.builder(GraphPlugin.NAME)
                        .tasks(TASKS)
                        .build())) {
            // Work that is done once, such as class loading, may pin a thread.
            runAll(worker, COMMANDS);
            recording.enable("jdk.VirtualThreadPinned").withThreshold(PINNED);
            recording.start();

            runAll(worker, COMMANDS);
            Thread.ofVirtual().start(PinsItsThread::run).join(DEADLINE);

            recording.stop();
            recording.dump(file);
            allSlotsAreFree(worker);
        }
        var pinned = pinned(file);
        assertEquals(1, pinned.size(), pinned::toString);
        assertTrue(pinned.getFirst().contains("PinsItsThread"), pinned.getFirst());
    }

    @Test
    void a_virtual_thread_that_waits_or_calls_in_a_loop_lets_others_run() {
        var result = ForkedJvm.run(
                OneCarrierProgram.class,
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1");

        assertEquals("free\nyields\n", result.output());
        assertEquals(0, result.exitCode());
    }

    /** Verifies that the recording detects a pinned thread: it parks in a class initializer. */
    private static final class PinsItsThread {

        static {
            LockSupport.parkNanos(5 * PINNED.toNanos());
        }

        static void run() {
            // The initializer ran before.
        }
    }

    private static void runAll(Worker worker, int commands) throws Exception {
        var threads = new ArrayList<Future<List<CompletableFuture<Long>>>>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < THREADS; i++) {
                var random = new Random(i);
                threads.add(executor.submit(() -> run(worker, commands, random)));
            }
            for (var thread : threads) {
                for (var future : thread.get(60, TimeUnit.SECONDS)) {
                    future.handle((answer, failure) -> answer).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
                }
            }
        }
    }

    private static List<CompletableFuture<Long>> run(Worker worker, int commands, Random random) throws Exception {
        var futures = new ArrayList<CompletableFuture<Long>>();
        for (var i = 0L; i < commands; i++) {
            switch (random.nextInt(6)) {
                case 0 -> assertEquals(i, worker.call(LOOPBACK, i));
                case 1 -> callForAMoment(worker, i);
                case 2 -> {
                    var future = worker.submit(LOOPBACK, i);
                    future.cancel(true);
                    futures.add(future);
                }
                case 3 ->
                    futures.add(worker.submit(LOOPBACK, i).orTimeout(random.nextInt(1000), TimeUnit.MICROSECONDS));
                case 4 -> worker.trySubmit(LOOPBACK, i).ifPresent(futures::add);
                default -> await(worker.submit(LOOPBACK, i), i);
            }
        }
        return futures;
    }

    private static void callForAMoment(Worker worker, long value) throws InterruptedException {
        try {
            assertEquals(
                    value, worker.call(LOOPBACK, value, CallOptions.DEFAULT.withTimeout(Duration.ofNanos(100_000))));
        } catch (DocaException e) {
            assertTrue(e.error() == DocaError.TIME_OUT || e.error() == DocaError.AGAIN, e::toString);
        }
    }

    private static void await(CompletableFuture<Long> future, long value) throws Exception {
        try {
            assertEquals(value, future.get(200, TimeUnit.MICROSECONDS));
        } catch (TimeoutException e) {
            assertEquals(value, future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException | CancellationException e) {
            throw new AssertionError("the command did not time out", e);
        }
    }

    /** Checks that all slots are available at the same time, so none was lost. */
    private static void allSlotsAreFree(Worker worker) throws InterruptedException {
        for (var round = 0; round < 3; round++) {
            var futures = new ArrayList<CompletableFuture<Long>>();
            for (var i = 0L; i < TASKS; i++) {
                futures.add(worker.submit(LOOPBACK, i, CallOptions.DEFAULT.withTimeout(DEADLINE)));
            }
            for (var i = 0; i < TASKS; i++) {
                assertEquals(i, futures.get(i).join());
            }
        }
        assertEquals(1, worker.call(LOOPBACK, 1L));
    }

    private static List<String> pinned(Path file) throws IOException {
        assertTrue(Files.size(file) > 0);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
                .map(RecordedEvent::toString)
                .toList();
    }
}

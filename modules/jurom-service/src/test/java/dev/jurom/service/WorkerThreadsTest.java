// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Waiting;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the number of threads per worker. */
class WorkerThreadsTest {

    private static final int WORKERS = 64;
    /** The number of threads that serve hosts and start workers, independent of the number of workers. */
    private static final int POOLED = 16;
    /** Long enough to ping each worker several times. */
    private static final Duration WATCHED = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    @Test
    void a_worker_costs_no_thread_of_the_service_and_two_of_its_own() {
        try (var daemon = new DaemonProcess(
                        folder,
                        Map.of(),
                        "--listen",
                        "unix:" + folder.resolve("socket"),
                        "--hang-timeout",
                        "2",
                        "--log-dir",
                        folder.resolve("logs").toString());
                var host = TestHost.admitted(new TestHost(daemon.address()))) {
            var before = threads(daemon.id());
            var workers = new ArrayList<Integer>();
            for (var i = 0; i < WORKERS; i++) {
                host.spawnAny(1);
                workers.add(host.receive(Frame.Spawned.class).processId());
            }

            var most = mostThreads(daemon.id());

            assertTrue(most <= before + POOLED, most + " threads for " + WORKERS + " workers, " + before + " before");
            workers.forEach(worker -> assertEquals(2, threads(worker)));
            assertEquals(WORKERS, daemon.workers().size());
        }
    }

    private static long mostThreads(long process) {
        var end = System.nanoTime() + WATCHED.toNanos();
        var most = new AtomicLong();
        Waiting.until("time has passed", () -> {
            most.accumulateAndGet(threads(process), Math::max);
            return System.nanoTime() >= end;
        });
        return most.get();
    }

    private static long threads(long process) {
        try (var tasks = Files.list(Path.of("/proc/" + process + "/task"))) {
            return tasks.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

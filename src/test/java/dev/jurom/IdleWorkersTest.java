// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.plugin.graph.GraphPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the memory and the CPU time of workers that wait for commands. */
class IdleWorkersTest {

    private static final int WORKERS = 64;
    private static final long KIB = 1024;
    private static final double MOST_MIB = 1.5;
    private static final double MOST_CPU_SHARE = 0.05; // of one core, for all workers
    private static final long SETTLING_MS = 200;
    private static final long MEASURED_MS = 3000;

    @Test
    void sixty_four_idle_workers_use_hardly_any_cpu_and_little_memory() throws Exception {
        var workers = new ArrayList<Worker>();
        try (var urom =
                Urom.open(UromConfiguration.builder().maxWorkers(WORKERS).build())) {
            for (var i = 0; i < WORKERS; i++) {
                workers.add(urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME)));
            }
            var processes =
                    EmbeddedWorkers.list().stream().map(ProcessHandle::pid).toList();
            assertEquals(WORKERS, processes.size());
            Thread.sleep(SETTLING_MS);

            var cpu = cpuNanos(processes);
            var begin = System.nanoTime();
            Thread.sleep(MEASURED_MS);
            var share = (double) (cpuNanos(processes) - cpu) / (System.nanoTime() - begin);

            assertTrue(share < MOST_CPU_SHARE, () -> share + " of a core");
            for (var process : processes) {
                var mebibytes = (double) proportionalBytes(process) / (KIB * KIB);
                assertTrue(mebibytes <= MOST_MIB, () -> mebibytes + " MiB");
            }
            workers.forEach(Worker::close);
        }
    }

    /** Returns the CPU time of processes in nanoseconds. The counters in stat have steps of 10 ms. */
    private static long cpuNanos(List<Long> processes) throws IOException {
        var sum = 0L;
        for (var process : processes) {
            try (var threads = Files.newDirectoryStream(Path.of("/proc/" + process + "/task"))) {
                for (var thread : threads) {
                    sum += Long.parseLong(
                            Files.readString(thread.resolve("schedstat")).split(" ")[0]);
                }
            }
        }
        return sum;
    }

    /** Returns the memory of a process in bytes, where each shared page counts in proportion. */
    private static long proportionalBytes(long process) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process + "/smaps_rollup")).stream()
                .filter(line -> line.startsWith("Pss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIB)
                .findFirst()
                .orElseThrow();
    }
}

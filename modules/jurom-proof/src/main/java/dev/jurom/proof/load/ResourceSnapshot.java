// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.cli.ProcessUsage;
import dev.jurom.cli.shell.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The resources that a service and its workers hold at one time.
 *
 * @param service resources of the daemon process
 * @param workers resources of its worker processes
 * @param files the number of files in the directory of the service, including the sockets of workers
 * @param shared the number of entries of /dev/shm
 */
record ResourceSnapshot(Usage service, Usage workers, long files, long shared) {

    private static final Path SHARED = Path.of("/dev/shm");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 100_000_000;
    /** The JVM opens a few descriptors lazily; a leak would have one per connection. */
    private static final int SLACK = 8;

    /** The total usage of processes, as counted by Linux. */
    record Usage(int processes, long cpuNanos, long residentBytes, long descriptors, long threads) {

        private static final Usage NONE = new Usage(0, 0, 0, 0, 0);

        private static Usage of(List<Long> processes) {
            return processes.stream().map(Usage::of).reduce(NONE, Usage::plus);
        }

        private static Usage of(long process) {
            var directory = Path.of("/proc", Long.toString(process));
            try {
                var usage = ProcessUsage.of(process);
                return new Usage(
                        1,
                        usage.cpuNanos(),
                        usage.residentBytes(),
                        entries(directory.resolve("fd")),
                        entries(directory.resolve("task")));
            } catch (IOException e) {
                return NONE; // it has just exited
            }
        }

        private Usage plus(Usage other) {
            return new Usage(
                    processes + other.processes,
                    cpuNanos + other.cpuNanos,
                    residentBytes + other.residentBytes,
                    descriptors + other.descriptors,
                    threads + other.threads);
        }
    }

    static ResourceSnapshot of(ServiceProcess service) throws IOException {
        return new ResourceSnapshot(
                Usage.of(List.of(service.pid())),
                Usage.of(service.workers()),
                entries(service.directory()),
                entries(SHARED));
    }

    private static long entries(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.count();
        }
    }

    /**
     * Waits until a snapshot does not exceed an earlier one, or a timeout expires; returns the last snapshot.
     */
    static ResourceSnapshot awaitReleased(ServiceProcess service, ResourceSnapshot before) throws IOException {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        var now = of(service);
        while (!now.excess(before).isEmpty() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
            now = of(service);
        }
        return now;
    }

    /** Returns a message for each resource of which there is more than before. */
    List<String> excess(ResourceSnapshot before) {
        var found = new ArrayList<String>();
        compare(found, "descriptors of the service", before.service.descriptors() + SLACK, service.descriptors());
        compare(found, "worker processes", before.workers.processes(), workers.processes());
        compare(found, "descriptors of workers", before.workers.descriptors(), workers.descriptors());
        compare(found, "threads of workers", before.workers.threads(), workers.threads());
        compare(found, "files in the service's directory", before.files, files);
        return found;
    }

    private static void compare(List<String> found, String what, long limit, long now) {
        if (now > limit) {
            found.add(what + ": " + now + " instead of at most " + limit);
        }
    }

    static Table table() {
        return Table.of(
                "when",
                "cpu_ms",
                "MiB",
                "descriptors",
                "threads",
                "workers",
                "worker_cpu_ms",
                "worker_MiB",
                "worker_descriptors",
                "files",
                "dev_shm");
    }

    /** Adds a row to a table that {@link #table} created. */
    void row(Table table, String when) {
        table.row(
                when,
                service.cpuNanos() / 1_000_000,
                service.residentBytes() >> 20,
                service.descriptors(),
                service.threads(),
                workers.processes(),
                workers.cpuNanos() / 1_000_000,
                workers.residentBytes() >> 20,
                workers.descriptors(),
                files,
                shared);
    }
}

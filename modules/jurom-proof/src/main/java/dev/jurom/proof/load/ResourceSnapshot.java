// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.cli.shell.Table;
import dev.jurom.proof.process.ProcessFigures;
import dev.jurom.proof.process.ServiceProcess;
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
 * @param files the number of files in the directory of the service
 * @param shared the number of entries of /dev/shm
 */
record ResourceSnapshot(ProcessFigures service, ProcessFigures workers, long files, long shared) {

    private static final Path SHARED = Path.of("/dev/shm");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 100_000_000;
    /** The JVM opens a few descriptors lazily; a leak would have one per connection. */
    private static final int SLACK = 8;

    static ResourceSnapshot of(ServiceProcess service) {
        return new ResourceSnapshot(
                ProcessFigures.of(service.pid()),
                ProcessFigures.of(service.workers().stream().mapToLong(Long::longValue)),
                service.files(),
                ServiceProcess.count(SHARED));
    }

    /**
     * Waits until a snapshot does not exceed an earlier one, or a timeout expires; returns the last snapshot.
     */
    static ResourceSnapshot awaitReleased(ServiceProcess service, ResourceSnapshot before) {
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
}

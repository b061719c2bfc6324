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
 * What a service and its workers hold at a moment, and whether that is as it was.
 *
 * @param service the daemon's process
 * @param workers its workers' processes
 * @param files in the service's own directory
 * @param shared entries of /dev/shm
 */
record Base(ProcessFigures service, ProcessFigures workers, long files, long shared) {

    private static final Path SHARED = Path.of("/dev/shm");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = 100_000_000;
    /** A JVM opens a few for itself when it first needs them; a leak has one for each connection. */
    private static final int SLACK = 8;

    static Base of(ServiceProcess service) {
        return new Base(
                ProcessFigures.of(service.pid()),
                ProcessFigures.of(service.workers().stream().mapToLong(Long::longValue)),
                service.files(),
                ServiceProcess.count(SHARED));
    }

    /** What is there once it is as before, or as it is after a while. */
    static Base awaited(ServiceProcess service, Base before) {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        var now = of(service);
        while (!now.beyond(before).isEmpty() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
            now = of(service);
        }
        return now;
    }

    /** What there is more of than before, a sentence each. */
    List<String> beyond(Base before) {
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
            found.add(what + ": " + now + ", at most " + limit + " belong there");
        }
    }

    /** A row for a table of {@link #table}. */
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
                "their_cpu_ms",
                "their_MiB",
                "their_descriptors",
                "files",
                "dev_shm");
    }
}

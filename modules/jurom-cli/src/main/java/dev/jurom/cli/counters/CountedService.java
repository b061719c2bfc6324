// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.counters;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.service.counters.CountedWorker;
import dev.jurom.service.counters.CounterDirectory;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.counters.CounterKind;
import dev.jurom.service.status.ServiceStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot of the counters of a service, its workers and its hosts.
 *
 * @param status the service
 * @param counters the counters of its running processes
 */
record CountedService(ServiceStatus status, CounterDirectory counters) {

    /** Reads the counters of a service; empty if the service has ended. */
    static Optional<CountedService> read(ServiceStatus status) {
        try {
            var now = status.again();
            return now.isEmpty() ? Optional.empty() : Optional.of(new CountedService(now.get(), counters(now.get())));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The counters of the service in " + status.directory() + " cannot be read: " + e, e);
        }
    }

    /**
     * Takes the list of workers from the service, since workers can write any values to their
     * counters.
     */
    private static CounterDirectory counters(ServiceStatus status) throws IOException {
        return CounterDirectory.read(
                status.directory(),
                status.workers().stream()
                        .filter(worker -> worker.process() != 0)
                        .map(worker -> new CountedWorker(worker.id(), worker.process(), worker.processStart()))
                        .toList());
    }

    /** Reads the counters of a service; throws if the service has ended. */
    static CountedService require(ServiceStatus status) {
        return read(status)
                .orElseThrow(() ->
                        new CommandFailure(ExitCode.LOST, "The service of process " + status.process() + " has ended"));
    }

    List<CounterFile> of(CounterKind kind) {
        return counters.files().stream().filter(file -> file.kind() == kind).toList();
    }

    /** Throws if a counter file could not be read. Call it after all output has been printed. */
    void requireReadable() {
        if (!counters.unreadable().isEmpty()) {
            throw new CommandFailure(ExitCode.FILE, String.join("; ", counters.unreadable()));
        }
    }
}

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

    /**
     * Reads the counters of a service whose status has just been read.
     *
     * @return the counters; empty if the service has ended
     * @throws IOException if its directory cannot be read
     */
    static Optional<CountedService> of(ServiceStatus status) throws IOException {
        try {
            return Optional.of(new CountedService(status, counters(status)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static Optional<CountedService> read(ServiceStatus status) {
        try {
            return of(status);
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

    /** Reads the counters of a service whose status has just been read; throws if the service has ended. */
    static CountedService require(ServiceStatus status) {
        return read(status).orElseThrow(() -> ended(status));
    }

    /** Reads the status and the counters again; throws if the service has ended. */
    CountedService again() {
        return status.again().flatMap(CountedService::read).orElseThrow(() -> ended(status));
    }

    private static CommandFailure ended(ServiceStatus status) {
        return new CommandFailure(ExitCode.LOST, "The service of process " + status.process() + " has ended");
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

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a running service tells its own user of itself, without being asked: it keeps a file in its
 * directory, which nobody else can read, and brings that up to date within a tenth of a second.
 *
 * <p>To look takes no lock and sends no message. A service that was killed leaves its file behind:
 * {@link #isAlive} tells. Any thread may use it.
 *
 * @param directory the service's own directory, which is deleted when it ends
 * @param process the id of its process
 * @param started when that process started
 * @param release the release of jurom that it is
 * @param reloads whether SIGHUP makes it look for plugins and authorised hosts again; an embedded
 *        service does not: SIGHUP ends its program
 * @param looks how often it has looked for plugins at its start and by request
 * @param addresses where it listens, as a service file has it
 * @param servesAll whether it serves all users of this machine; else its own alone
 * @param maxMessageSize bytes of the longest message between a host and a worker
 * @param cpus the CPUs that its workers may be given, such as {@code 0-3}
 * @param logDirectory where its logs are, if they are files
 * @param authorizedHosts the number of hosts of other machines that it knows; empty if it serves
 *        none
 * @param problems what keeps it from serving all that it is configured for, such as entries of its
 *        authorised hosts that cannot be used; a sentence each
 * @param plugins what it offers
 * @param workers those whose process has not ended
 */
public record ServiceStatus(Path directory, long process, Instant started, String release,
        boolean reloads, int looks, List<String> addresses, boolean servesAll, int maxMessageSize,
        String cpus, Optional<Path> logDirectory, OptionalInt authorizedHosts,
        List<String> problems, List<OfferedPlugin> plugins, List<RunningWorker> workers) {

    /** The name of the file in the service's directory. */
    static final String FILE = "status";

    /** The kernel counts the start of processes in steps of 10 ms, from a boot that moves. */
    private static final Duration SAME = Duration.ofSeconds(2);

    /**
     * A plugin that a service offers.
     *
     * @param id its bit
     * @param version as the plugin says
     * @param name the name of its file without {@code .so}
     * @param file its shared library
     */
    public record OfferedPlugin(long id, long version, String name, Path file) {
    }

    /**
     * A worker of a service.
     *
     * @param id as hosts know it; unique for each user
     * @param process the id of its process; 0 while it is started
     * @param processStart when the process started, in clock ticks after boot; 0 without a process
     * @param userId whom it runs as, as the kernel counts
     * @param group its group, if it has one
     * @param plugins the ids of its plugins in one
     * @param references how many contexts of hosts refer to it
     * @param started when it was asked for
     * @param ready whether it has its plugins and takes commands
     */
    public record RunningWorker(long id, long process, long processStart, int userId,
            OptionalInt group, long plugins, int references, Instant started, boolean ready) {
    }

    /** Makes a status; its lists are copied. */
    public ServiceStatus {
        addresses = List.copyOf(addresses);
        problems = List.copyOf(problems);
        plugins = List.copyOf(plugins);
        workers = List.copyOf(workers);
    }

    /**
     * The services of this process's user that run on this machine, embedded ones too.
     *
     * @return the oldest first; those whose process has ended are not among them
     * @throws UncheckedIOException if there is a status that cannot be read
     */
    public static List<ServiceStatus> running() {
        return all().stream().filter(ServiceStatus::isAlive).toList();
    }

    /**
     * The services of this process's user that run on this machine, and those that were killed and
     * whose directory nobody has removed yet.
     *
     * @return the oldest first
     * @throws UncheckedIOException if there is a status that cannot be read
     */
    public static List<ServiceStatus> all() {
        var found = new ArrayList<ServiceStatus>();
        try {
            for (var base : RuntimeDirectory.bases(Credentials.ofThisProcess())) {
                for (var directory : RuntimeDirectory.servicesIn(base)) {
                    read(directory).ifPresent(found::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The services that run cannot be listed: " + e, e);
        }
        found.sort((a, b) -> a.started().compareTo(b.started()));
        return List.copyOf(found);
    }

    /** What is in a directory; nothing while its service starts or ends. */
    private static Optional<ServiceStatus> read(Path directory) throws IOException {
        var file = directory.resolve(FILE);
        try {
            return Optional.of(StatusText.parse(directory, Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is no status of a service of this release: "
                    + e.getMessage(), e);
        }
    }

    /**
     * This status, read again.
     *
     * @return what the service says now; empty if its directory is gone
     * @throws UncheckedIOException if it cannot be read
     */
    public Optional<ServiceStatus> again() {
        try {
            return read(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("The status of the service in " + directory
                    + " cannot be read: " + e, e);
        }
    }

    /**
     * Whether the service's process is still the same and runs.
     *
     * @return false once it has ended
     */
    public boolean isAlive() {
        return ProcessHandle.of(process).filter(ProcessHandle::isAlive)
                .flatMap(handle -> handle.info().startInstant())
                .map(start -> Duration.between(start, started).abs().compareTo(SAME) < 0)
                .orElse(false);
    }
}

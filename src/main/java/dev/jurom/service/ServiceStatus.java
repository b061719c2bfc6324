// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.linux.RunningProcess;
import dev.jurom.runtime.internal.PrintableLines;
import dev.jurom.runtime.internal.RegularFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
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
 * @param reloadsStarted the number of reloads that have started since the service started; a
 *        reload reads its configuration after it is counted here
 * @param reloadsCompleted the number of those that have completed; they run one at a time
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
public record ServiceStatus(
        Path directory,
        long process,
        Instant started,
        String release,
        boolean reloads,
        int reloadsStarted,
        int reloadsCompleted,
        List<String> addresses,
        boolean servesAll,
        int maxMessageSize,
        String cpus,
        Optional<Path> logDirectory,
        OptionalInt authorizedHosts,
        List<String> problems,
        List<OfferedPlugin> plugins,
        List<RunningWorker> workers) {

    /** The name of the file in the service's directory. */
    static final String FILE = "status";

    private static final int MAX_FOREIGN = 8 << 20; // bytes

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
    public record OfferedPlugin(long id, long version, String name, Path file) {}

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
    public record RunningWorker(
            long id,
            long process,
            long processStart,
            int userId,
            OptionalInt group,
            long plugins,
            int references,
            Instant started,
            boolean ready) {}

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

    /**
     * The running services that this process's user may look at: its own; for root, those of all
     * users; for another user also services of all users, with that user's workers alone.
     *
     * @return the oldest first; a status of another user that cannot be read is left out
     * @throws UncheckedIOException if a status of this user cannot be read
     */
    public static List<ServiceStatus> visible() {
        var own = Credentials.ofThisProcess();
        var found = new ArrayList<>(all());
        for (var directory : RuntimeDirectory.servicesOfOthers(own)) {
            try {
                read(directory).ifPresent(found::add);
            } catch (IOException e) {
                // Another user's files must not keep this user from other services.
            }
        }
        found.sort((a, b) -> a.started().compareTo(b.started()));
        return found.stream().filter(ServiceStatus::isAlive).toList();
    }

    /** Reads a directory; empty while its service starts or ends, or has nothing for this user. */
    private static Optional<ServiceStatus> read(Path directory) throws IOException {
        var user = Credentials.ofThisProcess().userId();
        var file = directory.resolve(FILE);
        try {
            var owner = FileAccess.of(directory, NOFOLLOW_LINKS).owner();
            if (owner == user) {
                return Optional.of(StatusText.parse(directory, Files.readString(file)));
            }
            var text = user == Credentials.ROOT ? foreign(file, owner) : foreign(directory.resolve(fileOf(user)), user);
            return Optional.of(StatusText.parse(directory, text))
                    .filter(status -> RunningProcess.of(status.process())
                            .filter(it -> it.userId() == owner)
                            .isPresent());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is no status of a service of this release: " + e.getMessage(), e);
        }
    }

    /**
     * Reads a file that another user may have exchanged for a link, a FIFO or a large file, and whose
     * words may steer a terminal.
     */
    private static String foreign(Path path, int owner) throws IOException {
        try (var file = RegularFile.at(path, NOFOLLOW_LINKS)) {
            if (file.owner() != owner || file.size() > MAX_FOREIGN) {
                throw new IOException(path + " is not the status of a service");
            }
            try (var channel = file.open();
                    var stream = Channels.newInputStream(channel)) {
                var text = new String(stream.readNBytes(MAX_FOREIGN), StandardCharsets.UTF_8);
                var words = URLDecoder.decode(text.replace('\n', ' '), StandardCharsets.UTF_8);
                if (!PrintableLines.printable(words).equals(words)) {
                    throw new IOException(path + " has characters that are not printable");
                }
                return text;
            }
        }
    }

    /** The name of the file for a user that the service does not run as. */
    static String fileOf(int user) {
        return FILE + "-" + Integer.toUnsignedString(user);
    }

    /** This status, with the workers of one user and without paths that only the service uses. */
    ServiceStatus of(int user) {
        return new ServiceStatus(
                directory,
                process,
                started,
                release,
                reloads,
                reloadsStarted,
                reloadsCompleted,
                addresses,
                servesAll,
                maxMessageSize,
                cpus,
                Optional.empty(),
                OptionalInt.empty(),
                List.of(),
                plugins,
                workers.stream().filter(worker -> worker.userId() == user).toList());
    }

    /**
     * A name that the service keeps when it is started again.
     *
     * @return its first address, or for a service with an address of its own choice, such as an
     *         embedded one, the name of its directory
     */
    public String name() {
        return addresses.stream()
                .findFirst()
                .filter(address -> !address.contains(directory.toString()))
                .orElseGet(() -> directory.getFileName().toString());
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
            throw new UncheckedIOException("The status of the service in " + directory + " cannot be read: " + e, e);
        }
    }

    /**
     * Whether the service's process is still the same and runs.
     *
     * @return false once it has ended
     */
    public boolean isAlive() {
        return ProcessHandle.of(process)
                .filter(ProcessHandle::isAlive)
                .flatMap(handle -> handle.info().startInstant())
                .map(start -> Duration.between(start, started).abs().compareTo(SAME) < 0)
                .orElse(false);
    }
}

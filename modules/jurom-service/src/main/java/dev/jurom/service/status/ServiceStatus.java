// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.status;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.jurom.runtime.internal.FileAccess;
import dev.jurom.runtime.internal.PrintableLines;
import dev.jurom.runtime.internal.RegularFile;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.linux.RunningProcess;
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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The status that a running service publishes for its own user. The service keeps it in a file in its
 * directory, which other users cannot read, and updates it within a tenth of a second.
 *
 * <p>Reading a status of this user, or as root, takes no lock and sends no message. A service that was killed leaves
 * its file behind, which {@link #isAlive} detects. Other users connect to a socket of a service of all users, and
 * receive the part with their own workers. This class is thread-safe.
 */
public final class ServiceStatus {

    /** The name of the file in the service's directory. */
    public static final String FILE = "status";

    /** The name of the socket in the service's directory at which other users and probes ask for the status. */
    public static final String SOCKET = "status.sock";

    static final int MAX_FOREIGN = 8 << 20; // bytes

    /** The kernel reports the start of processes in steps of 10 ms, relative to a boot time that can be adjusted. */
    private static final Duration SAME = Duration.ofSeconds(2);

    private final Path directory;
    private final long process;
    private final Instant started;
    private final String release;
    private final String javaVersion;
    private final boolean reloads;
    private final int reloadsStarted;
    private final int reloadsCompleted;
    private final List<String> addresses;
    private final boolean servesAll;
    private final int maxMessageSize;
    private final String cpus;
    private final Optional<Path> logDirectory;
    private final OptionalInt authorizedHosts;
    private final List<String> problems;
    private final List<OfferedPlugin> plugins;
    private final List<RunningWorker> workers;
    private final List<RemoteSession> remoteSessions;

    private ServiceStatus(Builder builder) {
        directory = builder.directory;
        process = builder.process;
        started = builder.started;
        release = builder.release;
        javaVersion = builder.javaVersion;
        reloads = builder.reloads;
        reloadsStarted = builder.reloadsStarted;
        reloadsCompleted = builder.reloadsCompleted;
        addresses = builder.addresses;
        servesAll = builder.servesAll;
        maxMessageSize = builder.maxMessageSize;
        cpus = builder.cpus;
        logDirectory = builder.logDirectory;
        authorizedHosts = builder.authorizedHosts;
        problems = builder.problems;
        plugins = builder.plugins;
        workers = builder.workers;
        remoteSessions = builder.remoteSessions;
    }

    /**
     * Returns a builder, for the service and for tests of programs that read a status.
     *
     * @param directory the service's directory
     * @param process the id of its process
     * @return a builder of a status without plugins and workers
     */
    public static Builder builder(Path directory, long process) {
        return new Builder(directory, process);
    }

    /**
     * Returns a builder that is initialized with this status.
     *
     * @return a builder with all values of this status
     */
    public Builder toBuilder() {
        var builder = new Builder(directory, process);
        builder.started = started;
        builder.release = release;
        builder.javaVersion = javaVersion;
        builder.reloads = reloads;
        builder.reloadsStarted = reloadsStarted;
        builder.reloadsCompleted = reloadsCompleted;
        builder.addresses = addresses;
        builder.servesAll = servesAll;
        builder.maxMessageSize = maxMessageSize;
        builder.cpus = cpus;
        builder.logDirectory = logDirectory;
        builder.authorizedHosts = authorizedHosts;
        builder.problems = problems;
        builder.plugins = plugins;
        builder.workers = workers;
        builder.remoteSessions = remoteSessions;
        return builder;
    }

    /**
     * Returns this status as the text that a service keeps in its directory.
     *
     * @return lines of key and value
     */
    public String toText() {
        return StatusText.of(this);
    }

    /**
     * Returns the status of the services of this process's user that run on this machine, including embedded
     * ones.
     *
     * @return the oldest first, without services whose process has ended or whose status cannot be read
     * @throws UncheckedIOException if the services cannot be listed
     */
    public static List<ServiceStatus> running() {
        return VisibleServices.findOwn().running();
    }

    /**
     * Reads a directory. Returns empty while its service starts or ends, or if it publishes nothing for this
     * user, or for another process than {@code process}.
     */
    static Optional<ServiceStatus> read(Path directory, OptionalLong process) throws IOException {
        var user = Credentials.ofThisProcess().userId();
        var file = directory.resolve(FILE);
        try {
            var owner = FileAccess.of(directory, NOFOLLOW_LINKS).owner();
            if (owner == user) {
                return parse(directory, Files.readString(file), process);
            }
            var text = user == Credentials.ROOT ? foreign(file, owner) : StatusSocket.read(directory.resolve(SOCKET));
            if (text.isEmpty()) {
                return Optional.empty(); // the user has no workers
            }
            return parse(directory, text, process)
                    .filter(status -> RunningProcess.of(status.process())
                            .filter(it -> it.userId() == owner)
                            .isPresent());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is no status that this release can read: " + e.getMessage(), e);
        }
    }

    private static Optional<ServiceStatus> parse(Path directory, String text, OptionalLong process) {
        return process.isPresent() && !StatusText.isOf(process.getAsLong(), text)
                ? Optional.empty()
                : Optional.of(StatusText.parse(directory, text));
    }

    /**
     * Reads a file that another user may have replaced by a link, a FIFO or a large file, and whose text may
     * contain terminal control sequences.
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

    /**
     * Returns this status restricted to the workers of one user, without paths that only the service uses.
     *
     * @param user the user's id
     * @return the restricted status
     */
    public ServiceStatus of(int user) {
        return toBuilder()
                .logDirectory(Optional.empty())
                .authorizedHosts(OptionalInt.empty())
                .problems(List.of())
                .workers(workers.stream()
                        .filter(worker -> worker.userId() == user)
                        .toList())
                .remoteSessions(remoteSessions.stream()
                        .filter(session -> session.userId() == user)
                        .toList())
                .build();
    }

    /**
     * Returns a name that does not change when the service is restarted.
     *
     * @return its first address, or the name of its directory if the service chose the address itself, as an
     *        embedded one does
     */
    public String name() {
        return configuredAddress().orElseGet(() -> directory.getFileName().toString());
    }

    /**
     * Returns the first address at which the service listens, if it was configured.
     *
     * @return empty if the service chose its address itself, as a private one does
     */
    public Optional<String> configuredAddress() {
        return addresses.stream().findFirst().filter(address -> !address.contains(directory.toString()));
    }

    /**
     * Reads this status again.
     *
     * @return the current status; empty if the service's directory does not exist
     * @throws UncheckedIOException if it cannot be read
     */
    public Optional<ServiceStatus> again() {
        try {
            return read(directory, OptionalLong.empty());
        } catch (IOException e) {
            throw new UncheckedIOException("The status of the service in " + directory + " cannot be read: " + e, e);
        }
    }

    /**
     * Returns whether the service's process still runs.
     *
     * @return false after it has ended
     */
    public boolean isAlive() {
        return ProcessHandle.of(process)
                .filter(ProcessHandle::isAlive)
                .flatMap(handle -> handle.info().startInstant())
                .map(start -> Duration.between(start, started).abs().compareTo(SAME) < 0)
                .orElse(false);
    }

    /**
     * Asks the service for an answer, which a thread that blocks it, SIGSTOP or a debugger prevents. Blocks for at most
     * 5 s. Not interruptible: the interrupt status is preserved.
     *
     * @return false if the service has not answered
     */
    public boolean answers() {
        return StatusSocket.answers(directory.resolve(SOCKET));
    }

    /**
     * Returns the service's own directory, which it deletes when it ends.
     *
     * @return an absolute path
     */
    public Path directory() {
        return directory;
    }

    /**
     * Returns the id of the service's process.
     *
     * @return 1 or more
     */
    public long process() {
        return process;
    }

    /**
     * Returns when the service's process started.
     *
     * @return a time with a resolution of 1 ms
     */
    public Instant started() {
        return started;
    }

    /**
     * Returns the service's release of jurom.
     *
     * @return a release such as {@code 0.1.0}
     */
    public String release() {
        return release;
    }

    /**
     * Returns the version of the Java runtime on which the service runs.
     *
     * @return a version such as {@code 25.0.1+8}; {@code unknown} for a service of a release that does not state it
     */
    public String javaVersion() {
        return javaVersion;
    }

    /**
     * Returns whether SIGHUP makes the service reload its plugins and authorised hosts. SIGHUP ends the program
     * of an embedded service.
     *
     * @return false for an embedded service
     */
    public boolean reloads() {
        return reloads;
    }

    /**
     * Returns the number of reloads that have started since the service started. A reload reads its
     * configuration after it is counted here.
     *
     * @return 0 or more
     */
    public int reloadsStarted() {
        return reloadsStarted;
    }

    /**
     * Returns the number of reloads that have completed. Reloads run one at a time.
     *
     * @return 0 to {@link #reloadsStarted}
     */
    public int reloadsCompleted() {
        return reloadsCompleted;
    }

    /**
     * Returns the addresses at which the service listens, in the notation of service files.
     *
     * @return an unmodifiable list
     */
    public List<String> addresses() {
        return addresses;
    }

    /**
     * Returns whether the service serves all users of this machine.
     *
     * @return false if it serves only its own user
     */
    public boolean servesAll() {
        return servesAll;
    }

    /**
     * Returns the maximum size of a message between a host and a worker.
     *
     * @return a number of bytes
     */
    public int maxMessageSize() {
        return maxMessageSize;
    }

    /**
     * Returns the CPUs that the service's workers may use.
     *
     * @return a list such as {@code 0-3}
     */
    public String cpus() {
        return cpus;
    }

    /**
     * Returns the directory of the service's log files.
     *
     * @return empty if it does not log to files
     */
    public Optional<Path> logDirectory() {
        return logDirectory;
    }

    /**
     * Returns the number of authorised hosts of other machines.
     *
     * @return empty if it serves only this machine
     */
    public OptionalInt authorizedHosts() {
        return authorizedHosts;
    }

    /**
     * Returns what prevents the service from serving all that its configuration names, such as invalid entries
     * of its authorised hosts.
     *
     * @return an unmodifiable list of sentences
     */
    public List<String> problems() {
        return problems;
    }

    /**
     * Returns the plugins that the service offers.
     *
     * @return an unmodifiable list
     */
    public List<OfferedPlugin> plugins() {
        return plugins;
    }

    /**
     * Returns the workers whose process has not ended.
     *
     * @return an unmodifiable list
     */
    public List<RunningWorker> workers() {
        return workers;
    }

    /**
     * Returns the sessions of hosts of other machines.
     *
     * @return an unmodifiable list, in the order of their starts
     */
    public List<RemoteSession> remoteSessions() {
        return remoteSessions;
    }

    private List<Object> values() {
        return List.of(
                directory,
                process,
                started,
                release,
                javaVersion,
                reloads,
                reloadsStarted,
                reloadsCompleted,
                addresses,
                servesAll,
                maxMessageSize,
                cpus,
                logDirectory,
                authorizedHosts,
                problems,
                plugins,
                workers,
                remoteSessions);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof ServiceStatus that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "ServiceStatus[directory=" + directory + ", process=" + process + ", started=" + started + ", release="
                + release + ", javaVersion=" + javaVersion + ", reloads=" + reloads + ", reloadsStarted="
                + reloadsStarted + ", reloadsCompleted="
                + reloadsCompleted + ", addresses=" + addresses + ", servesAll="
                + servesAll + ", maxMessageSize=" + maxMessageSize + ", cpus=" + cpus + ", logDirectory=" + logDirectory
                + ", authorizedHosts=" + authorizedHosts + ", problems=" + problems + ", plugins=" + plugins
                + ", workers=" + workers + ", remoteSessions=" + remoteSessions + "]";
    }

    /** Builds a status. This class is not thread-safe. */
    public static final class Builder {

        private final Path directory;
        private final long process;
        private Instant started = Instant.EPOCH;
        private String release = "";
        private String javaVersion = "";
        private boolean reloads;
        private int reloadsStarted;
        private int reloadsCompleted;
        private List<String> addresses = List.of();
        private boolean servesAll;
        private int maxMessageSize;
        private String cpus = "";
        private Optional<Path> logDirectory = Optional.empty();
        private OptionalInt authorizedHosts = OptionalInt.empty();
        private List<String> problems = List.of();
        private List<OfferedPlugin> plugins = List.of();
        private List<RunningWorker> workers = List.of();
        private List<RemoteSession> remoteSessions = List.of();

        private Builder(Path directory, long process) {
            this.directory = Objects.requireNonNull(directory);
            this.process = process;
        }

        /**
         * Sets the start of the process.
         *
         * @param value the time
         * @return this
         */
        public Builder started(Instant value) {
            started = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the release of the service.
         *
         * @param value the release
         * @return this
         */
        public Builder release(String value) {
            release = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the version of the Java runtime on which the service runs.
         *
         * @param value the version
         * @return this
         */
        public Builder javaVersion(String value) {
            javaVersion = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets whether SIGHUP makes the service reload its configuration.
         *
         * @param value true if it does
         * @return this
         */
        public Builder reloads(boolean value) {
            reloads = value;
            return this;
        }

        /**
         * Sets the number of reloads that have started.
         *
         * @param value 0 or more
         * @return this
         */
        public Builder reloadsStarted(int value) {
            reloadsStarted = value;
            return this;
        }

        /**
         * Sets the number of reloads that have completed.
         *
         * @param value 0 or more
         * @return this
         */
        public Builder reloadsCompleted(int value) {
            reloadsCompleted = value;
            return this;
        }

        /**
         * Sets the addresses at which the service listens.
         *
         * @param value the addresses
         * @return this
         */
        public Builder addresses(List<String> value) {
            addresses = List.copyOf(value);
            return this;
        }

        /**
         * Sets whether the service serves all users of the machine.
         *
         * @param value true if it does
         * @return this
         */
        public Builder servesAll(boolean value) {
            servesAll = value;
            return this;
        }

        /**
         * Sets the maximum message size.
         *
         * @param value a number of bytes
         * @return this
         */
        public Builder maxMessageSize(int value) {
            maxMessageSize = value;
            return this;
        }

        /**
         * Sets the CPUs of the workers.
         *
         * @param value the CPUs, as in {@link dev.jurom.urom.CpuSet#toString}
         * @return this
         */
        public Builder cpus(String value) {
            cpus = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the directory of the logs.
         *
         * @param value the directory; empty for none
         * @return this
         */
        public Builder logDirectory(Optional<Path> value) {
            logDirectory = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the number of authorized hosts.
         *
         * @param value the number; empty if the service uses no keys
         * @return this
         */
        public Builder authorizedHosts(OptionalInt value) {
            authorizedHosts = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the parts of the configuration that are not in effect.
         *
         * @param value a sentence for each
         * @return this
         */
        public Builder problems(List<String> value) {
            problems = List.copyOf(value);
            return this;
        }

        /**
         * Sets the offered plugins.
         *
         * @param value the plugins
         * @return this
         */
        public Builder plugins(List<OfferedPlugin> value) {
            plugins = List.copyOf(value);
            return this;
        }

        /**
         * Sets the running workers.
         *
         * @param value the workers
         * @return this
         */
        public Builder workers(List<RunningWorker> value) {
            workers = List.copyOf(value);
            return this;
        }

        /**
         * Sets the sessions of hosts of other machines.
         *
         * @param value the sessions
         * @return this
         */
        public Builder remoteSessions(List<RemoteSession> value) {
            remoteSessions = List.copyOf(value);
            return this;
        }

        /**
         * Returns the status.
         *
         * @return a status with the values of this builder
         */
        public ServiceStatus build() {
            return new ServiceStatus(this);
        }
    }
}

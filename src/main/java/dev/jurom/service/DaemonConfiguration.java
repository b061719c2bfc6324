// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.urom.CpuSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a service is like.
 *
 * @param listen where hosts connect; none: at a Unix socket in a directory of the service's own
 * @param users whom it serves
 * @param remote what hosts of other machines need; without, it listens at Unix sockets alone
 * @param maxMessageSize bytes of a message between a host and a worker, 64 to 2^30; hosts must
 *        have the same
 * @param cores how many cores the service presents, 1 to 1024; without: those that this process
 *        may use
 * @param pluginDirectories where plugins are, scanned in this order
 * @param workers what its workers are like
 * @param limits what hosts may use up
 * @param logs what is logged and where
 */
public record DaemonConfiguration(List<ListenAddress> listen, Users users,
        Optional<RemoteAccess> remote, int maxMessageSize, OptionalInt cores,
        List<Path> pluginDirectories, WorkerSettings workers, Limits limits, LogSettings logs) {

    /** Bytes of the longest message between a host and a worker unless another is asked for. */
    public static final int DEFAULT_MAX_MESSAGE_SIZE = 4096;

    private static final int MIN_MESSAGE_SIZE = 64;
    private static final int MAX_MESSAGE_SIZE = 1 << 30;

    /**
     * Which users of this machine a service serves.
     *
     * @param all whether it serves others than its own; it must be able to change users, then, and
     *        each worker runs as the user who asked for it
     * @param group of those, only the members of this group
     */
    public record Users(boolean all, Optional<String> group) {

        /** The service's own user. */
        public static final Users OWN = new Users(false, Optional.empty());
        /** All users. */
        public static final Users ALL = new Users(true, Optional.empty());

        /**
         * The users that a service of this process can serve: all, when it may change users and
         * they can run the worker program; otherwise its own.
         *
         * @param group of all, only the members of this group; then nothing less will do
         * @param workerProgram the program {@code urom_worker}
         * @param remote whether hosts of other machines are served, which need other users too
         * @return whom to serve
         * @throws DaemonException if others are to be served and cannot pass a directory on the way
         *         to the worker program
         */
        public static Users possible(Optional<String> group, Path workerProgram, boolean remote) {
            var closed = TrustedPath.closedComponent(workerProgram);
            var able = Credentials.ofThisProcess().mayChangeUser();
            if (group.isEmpty() && (!able || closed != null && !remote)) {
                return OWN;
            }
            if (closed != null) {
                throw new DaemonException("The service cannot serve other users than its own: they"
                        + " cannot pass " + closed + " on the way to the worker program; install"
                        + " it with scripts/install", null);
            }
            return new Users(true, group);
        }
    }

    /**
     * Makes a configuration.
     *
     * @throws IllegalArgumentException if a number is out of its range, or an address asks for a
     *         key and there is none
     */
    public DaemonConfiguration {
        listen = List.copyOf(listen);
        Objects.requireNonNull(users);
        pluginDirectories = List.copyOf(pluginDirectories);
        Objects.requireNonNull(workers);
        Objects.requireNonNull(limits);
        Objects.requireNonNull(logs);
        Range.require("maximum message size", maxMessageSize, MIN_MESSAGE_SIZE, MAX_MESSAGE_SIZE);
        Range.require("number of cores", cores.orElse(1), 1, CpuSet.CAPACITY);
        for (var address : listen) {
            if (address instanceof ListenAddress.Tls && remote.isEmpty()) {
                throw new IllegalArgumentException("The service does not listen at " + address
                        + " without a key: anybody could start programs here; give it a key and"
                        + " authorized hosts, or let it listen at unix:PATH");
            }
        }
    }

    /**
     * A service for this user alone, at a Unix socket in a private directory, with the worker
     * program and the plugins that ship with jurom.
     *
     * @return the configuration, to be changed with the other methods
     * @throws dev.jurom.runtime.LibraryLoadException if there is no software DOCA
     */
    public static DaemonConfiguration usual() {
        var software = SoftwareInstallation.current();
        return local(software.workerProgram(), List.of(software.plugins()));
    }

    /**
     * A service for this user alone, at a Unix socket in a private directory.
     *
     * @param workerProgram the program {@code urom_worker}
     * @param pluginDirectories where plugins are
     * @return the configuration, to be changed with the other methods
     */
    public static DaemonConfiguration local(Path workerProgram, List<Path> pluginDirectories) {
        return new DaemonConfiguration(List.of(), Users.OWN, Optional.empty(),
                DEFAULT_MAX_MESSAGE_SIZE, OptionalInt.empty(), pluginDirectories,
                WorkerSettings.of(workerProgram), Limits.DEFAULT, LogSettings.DEFAULT);
    }

    /**
     * This configuration, with other addresses, Unix sockets all of them.
     *
     * @param addresses where to listen
     * @return a new configuration
     */
    public DaemonConfiguration listenAt(ListenAddress... addresses) {
        return new DaemonConfiguration(List.of(addresses), users, remote, maxMessageSize, cores,
                pluginDirectories, workers, limits, logs);
    }

    /**
     * This configuration, for hosts of other machines too.
     *
     * @param access keys of both sides
     * @param addresses where to listen
     * @return a new configuration
     */
    public DaemonConfiguration withRemote(RemoteAccess access, ListenAddress... addresses) {
        return new DaemonConfiguration(List.of(addresses), users, Optional.of(access),
                maxMessageSize, cores, pluginDirectories, workers, limits, logs);
    }

    /**
     * This configuration, for other users.
     *
     * @param served whom the service serves
     * @return a new configuration
     */
    public DaemonConfiguration withUsers(Users served) {
        return new DaemonConfiguration(listen, served, remote, maxMessageSize, cores,
                pluginDirectories, workers, limits, logs);
    }

    /**
     * This configuration, with another maximum message size.
     *
     * @param bytes 64 to 2^30
     * @return a new configuration
     */
    public DaemonConfiguration withMaxMessageSize(int bytes) {
        return new DaemonConfiguration(listen, users, remote, bytes, cores, pluginDirectories,
                workers, limits, logs);
    }

    /**
     * This configuration, with another number of cores.
     *
     * @param count 1 to 1024
     * @return a new configuration
     */
    public DaemonConfiguration withCores(int count) {
        return new DaemonConfiguration(listen, users, remote, maxMessageSize,
                OptionalInt.of(count), pluginDirectories, workers, limits, logs);
    }

    /**
     * This configuration, with other workers.
     *
     * @param settings what they are like
     * @return a new configuration
     */
    public DaemonConfiguration withWorkers(WorkerSettings settings) {
        return new DaemonConfiguration(listen, users, remote, maxMessageSize, cores,
                pluginDirectories, settings, limits, logs);
    }

    /**
     * This configuration, with other limits.
     *
     * @param other what hosts may use up
     * @return a new configuration
     */
    public DaemonConfiguration withLimits(Limits other) {
        return new DaemonConfiguration(listen, users, remote, maxMessageSize, cores,
                pluginDirectories, workers, other, logs);
    }

    /**
     * This configuration, with other logs.
     *
     * @param directory where they go
     * @param level how much the service logs
     * @param workerLevel how much its workers log
     * @return a new configuration
     */
    public DaemonConfiguration withLogs(Optional<Path> directory, LogLevel level,
            LogLevel workerLevel) {
        return withLogs(new LogSettings(directory, level, workerLevel, logs.maxSize(),
                logs.maxFiles()));
    }

    /**
     * This configuration, with other logs.
     *
     * @param settings what is logged and where
     * @return a new configuration
     */
    public DaemonConfiguration withLogs(LogSettings settings) {
        return new DaemonConfiguration(listen, users, remote, maxMessageSize, cores,
                pluginDirectories, workers, limits, settings);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.TrustedPath;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.UromService;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a service is like. Made with a {@link #builder}; never changes. */
public final class DaemonConfiguration {

    /** Bytes of the longest message between a host and a worker unless another is asked for. */
    public static final int DEFAULT_MAX_MESSAGE_SIZE = UromService.DEFAULT_MAX_MESSAGE_SIZE;

    /** The users of this machine that a service serves. Instances are immutable. */
    public static final class Users {

        /** The service's own user. */
        public static final Users OWN = new Users(false, Optional.empty(), false, false);
        /** All users but root, and no containers. */
        public static final Users ALL = new Users(true, Optional.empty(), false, false);

        private final boolean all;
        private final Optional<String> group;
        private final boolean root;
        private final boolean namespaces;

        private Users(boolean all, Optional<String> group, boolean root, boolean namespaces) {
            this.all = all;
            this.group = Objects.requireNonNull(group);
            this.root = root;
            this.namespaces = namespaces;
        }

        /**
         * Returns the members of a group, without root and containers.
         *
         * @param name the name of the group
         * @return the users
         */
        public static Users inGroup(String name) {
            return new Users(true, Optional.of(name), false, false);
        }

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
                throw DaemonException.ofConfiguration(
                        "The service cannot serve other users than its own: they"
                                + " cannot pass " + closed + " on the way to the worker program; install"
                                + " it with scripts/install",
                        null);
            }
            return new Users(true, group, false, false);
        }

        /**
         * Returns these users, and others if this serves all.
         *
         * @param itsRoot whether the service also starts workers as root
         * @param otherNamespaces whether it also serves processes in other user or PID namespaces
         * @return the users
         */
        public Users allowing(boolean itsRoot, boolean otherNamespaces) {
            return new Users(all, group, itsRoot, otherNamespaces);
        }

        /**
         * Returns whether the service serves other users than its own. It must then be able to change users, and each worker
         * runs as the user that requested it.
         *
         * @return false if it serves only its own user
         */
        public boolean all() {
            return all;
        }

        /**
         * Returns the group whose members the service serves.
         *
         * @return empty if membership does not matter
         */
        public Optional<String> group() {
            return group;
        }

        /**
         * Returns whether a service of all users also starts workers as root.
         *
         * @return true if it does
         */
        public boolean root() {
            return root;
        }

        /**
         * Returns whether a service of all users also serves processes in other user or PID namespaces, such as containers.
         * The confinement of such a process does not extend to its workers.
         *
         * @return true if it does
         */
        public boolean namespaces() {
            return namespaces;
        }

        private List<Object> values() {
            return List.of(all, group, root, namespaces);
        }

        @Override
        @SuppressWarnings("exports") // the annotation is for compilers
        public boolean equals(@Nullable Object other) {
            return other instanceof Users that && values().equals(that.values());
        }

        @Override
        public int hashCode() {
            return values().hashCode();
        }

        @Override
        public String toString() {
            return "Users[all=" + all + ", group=" + group + ", root=" + root + ", namespaces=" + namespaces + "]";
        }
    }

    private final List<ListenAddress> listen;
    private final Users users;
    private final Optional<RemoteAccess> remote;
    private final int maxMessageSize;
    private final OptionalInt cores;
    private final List<Path> pluginDirectories;
    private final WorkerSettings workers;
    private final Limits limits;
    private final LogSettings logs;

    private DaemonConfiguration(Builder builder) {
        listen = builder.listen;
        users = builder.users;
        remote = builder.remote;
        maxMessageSize = builder.maxMessageSize;
        cores = builder.cores;
        pluginDirectories = builder.pluginDirectories;
        workers = builder.workers;
        limits = builder.limits;
        logs = builder.logs;
    }

    /**
     * A service for this user alone, at a Unix socket in a private directory, with the worker
     * program and the plugins that ship with jurom.
     *
     * @return the configuration
     * @throws dev.jurom.runtime.LibraryLoadException if there is no software DOCA
     */
    public static DaemonConfiguration usual() {
        var software = SoftwareInstallation.current();
        return builder(software.workerProgram(), List.of(software.plugins())).build();
    }

    /**
     * Begins the configuration of a service for this user alone, at a Unix socket in a private
     * directory.
     *
     * @param workerProgram the program {@code urom_worker}
     * @param pluginDirectories where plugins are, scanned in this order
     * @return a builder that has everything else as by default
     */
    public static Builder builder(Path workerProgram, List<Path> pluginDirectories) {
        return new Builder(WorkerSettings.of(workerProgram), List.copyOf(pluginDirectories));
    }

    /**
     * Begins a configuration that is like this one but for some changes.
     *
     * @return a builder that has everything as in this
     */
    public Builder toBuilder() {
        var builder = new Builder(workers, pluginDirectories);
        builder.listen = listen;
        builder.users = users;
        builder.remote = remote;
        builder.maxMessageSize = maxMessageSize;
        builder.cores = cores;
        builder.limits = limits;
        builder.logs = logs;
        return builder;
    }

    /**
     * Where hosts connect.
     *
     * @return none: at a Unix socket in a directory of the service's own
     */
    public List<ListenAddress> listen() {
        return listen;
    }

    /**
     * Whom it serves.
     *
     * @return which users of this machine
     */
    public Users users() {
        return users;
    }

    /**
     * What hosts of other machines need.
     *
     * @return keys of both sides; empty if it listens at Unix sockets alone
     */
    public Optional<RemoteAccess> remote() {
        return remote;
    }

    /**
     * How long a message between a host and a worker is at most; hosts must have the same.
     *
     * @return bytes, {@value UromService#MIN_MESSAGE_SIZE} to {@value UromService#MAX_MESSAGE_SIZE}
     */
    public int maxMessageSize() {
        return maxMessageSize;
    }

    /**
     * How many cores the service presents.
     *
     * @return 1 to 1024; empty for those that this process may use
     */
    public OptionalInt cores() {
        return cores;
    }

    /**
     * Where plugins are.
     *
     * @return scanned in this order
     */
    public List<Path> pluginDirectories() {
        return pluginDirectories;
    }

    /**
     * What its workers are like.
     *
     * @return their program, and what each may use up
     */
    public WorkerSettings workers() {
        return workers;
    }

    /**
     * What hosts may use up.
     *
     * @return the limits
     */
    public Limits limits() {
        return limits;
    }

    /**
     * What is logged and where.
     *
     * @return the settings
     */
    public LogSettings logs() {
        return logs;
    }

    private List<Object> values() {
        return List.of(listen, users, remote, maxMessageSize, cores, pluginDirectories, workers, limits, logs);
    }

    /**
     * Compares this configuration with another.
     *
     * @param other any object
     * @return whether it is a configuration with the same settings
     */
    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof DaemonConfiguration that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DaemonConfiguration[listen=" + (listen.isEmpty() ? "its own directory" : listen)
                + ", users=" + users
                + ", remote=" + remote.map(Object::toString).orElse("none")
                + ", maxMessageSize=" + maxMessageSize
                + ", cores=" + (cores.isPresent() ? cores.getAsInt() : "all")
                + ", pluginDirectories=" + pluginDirectories
                + ", workers=" + workers
                + ", limits=" + limits
                + ", logs=" + logs + "]";
    }

    /** Makes configurations. Of one thread. */
    public static final class Builder {

        private List<Path> pluginDirectories;
        private List<ListenAddress> listen = List.of();
        private Users users = Users.OWN;
        private Optional<RemoteAccess> remote = Optional.empty();
        private int maxMessageSize = DEFAULT_MAX_MESSAGE_SIZE;
        private OptionalInt cores = OptionalInt.empty();
        private WorkerSettings workers;
        private Limits limits = Limits.DEFAULT;
        private LogSettings logs = LogSettings.DEFAULT;

        private Builder(WorkerSettings workers, List<Path> pluginDirectories) {
            this.workers = workers;
            this.pluginDirectories = pluginDirectories;
        }

        /**
         * Has the service offer the plugins of further folders: each {@code *.so} under its name
         * without that. Of two with one name, the first counts. Stands for a part of
         * {@code UROM_PLUGIN_PATH}.
         *
         * @param directories where plugins are, scanned in this order after those that there are
         * @return this
         */
        public Builder plugins(Path... directories) {
            pluginDirectories = Stream.concat(pluginDirectories.stream(), Stream.of(directories))
                    .map(Path::toAbsolutePath)
                    .toList();
            return this;
        }

        /**
         * Chooses where hosts connect.
         *
         * @param addresses none: at a Unix socket in a directory of the service's own
         * @return this
         */
        public Builder listen(ListenAddress... addresses) {
            listen = List.of(addresses);
            return this;
        }

        /**
         * Chooses whom the service serves.
         *
         * @param served which users of this machine
         * @return this
         */
        public Builder users(Users served) {
            users = Objects.requireNonNull(served);
            return this;
        }

        /**
         * Lets hosts of other machines in.
         *
         * @param access keys of both sides
         * @return this
         */
        public Builder remote(RemoteAccess access) {
            remote = Optional.of(access);
            return this;
        }

        /**
         * Sets how long a message between a host and a worker is at most.
         *
         * @param bytes {@value UromService#MIN_MESSAGE_SIZE} to
         *        {@value UromService#MAX_MESSAGE_SIZE}
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder maxMessageSize(int bytes) {
            Range.require("maximum message size", bytes, UromService.MIN_MESSAGE_SIZE, UromService.MAX_MESSAGE_SIZE);
            maxMessageSize = bytes;
            return this;
        }

        /**
         * Sets how many cores the service presents.
         *
         * @param count 1 to 1024
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder cores(int count) {
            Range.require("number of cores", count, 1, CpuSet.CAPACITY);
            cores = OptionalInt.of(count);
            return this;
        }

        /**
         * Chooses what the workers are like.
         *
         * @param settings their program, and what each may use up
         * @return this
         */
        public Builder workers(WorkerSettings settings) {
            workers = Objects.requireNonNull(settings);
            return this;
        }

        /**
         * Sets what hosts may use up.
         *
         * @param allowed the limits
         * @return this
         */
        public Builder limits(Limits allowed) {
            limits = Objects.requireNonNull(allowed);
            return this;
        }

        /**
         * Chooses what is logged and where.
         *
         * @param settings the settings
         * @return this
         */
        public Builder logs(LogSettings settings) {
            logs = Objects.requireNonNull(settings);
            return this;
        }

        /**
         * Ends the configuration.
         *
         * @return what was asked for
         * @throws IllegalArgumentException if an address asks for a key and there is none
         */
        public DaemonConfiguration build() {
            for (var address : listen) {
                if (address instanceof ListenAddress.Tls && remote.isEmpty()) {
                    throw new IllegalArgumentException("The service does not listen at " + address
                            + " without a key: anybody could start programs here; give it a key and"
                            + " authorized hosts, or let it listen at unix:PATH");
                }
            }
            return new DaemonConfiguration(this);
        }
    }
}

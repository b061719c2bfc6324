// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.internal.SoftwareInstallation;
import dev.jurom.runtime.internal.TrustedPath;
import dev.jurom.service.files.Credentials;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.UromService;
import dev.jurom.worker.WorkerPlugin;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The configuration of a service, made by a {@link #builder}. Instances are immutable. */
public final class DaemonConfiguration {

    /** Default maximum size of a message between a host and a worker, in bytes. */
    public static final int DEFAULT_MAX_MESSAGE_SIZE = UromService.DEFAULT_MAX_MESSAGE_SIZE;

    /** The users of this machine that a service serves. Instances are immutable. */
    public static final class Users {

        /** The service's own user. */
        public static final Users OWN = new Users(false, Optional.empty(), false, false);
        /** All users except root, and no containers. */
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
         * Returns the users that a service of this process can serve: all users if it may switch users and they
         * can run the worker program, otherwise its own.
         *
         * @param group serve only the members of this group, and fail if that is impossible
         * @param workerProgram the program {@code urom_worker}
         * @param remote whether hosts of other machines are served, which requires other users
         * @return the users
         * @throws DaemonException if other users must be served and cannot pass a directory in the path of the
         *        worker program
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
         * Returns these users with additional permissions, which have an effect if the service serves all
         * users.
         *
         * @param allowRoot whether the service also starts workers as root
         * @param allowNamespaces whether it also serves processes in other user or PID namespaces
         * @return the users
         */
        public Users allowing(boolean allowRoot, boolean allowNamespaces) {
            return new Users(all, group, allowRoot, allowNamespaces);
        }

        /**
         * Returns whether the service serves other users than its own. It must then be able to change users,
         * and each worker runs as the user that requested it.
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
         * Returns whether a service of all users also serves processes in other user or PID namespaces, such as
         * containers. The confinement of such a process does not extend to its workers.
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
    private final List<Class<? extends WorkerPlugin>> pluginClasses;
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
        pluginClasses = builder.pluginClasses;
        workers = builder.workers;
        limits = builder.limits;
        logs = builder.logs;
    }

    /**
     * Returns the configuration of a service for this user only, at a Unix socket in a private directory, with
     * the worker program and the plugins that ship with jurom.
     *
     * @return the configuration
     * @throws dev.jurom.runtime.LibraryLoadException if the software DOCA is not available
     */
    public static DaemonConfiguration usual() {
        var software = SoftwareInstallation.current();
        return builder(software.workerProgram(), List.of(software.plugins())).build();
    }

    /**
     * Returns a builder of a configuration for this user only, at a Unix socket in a private directory.
     *
     * @param workerProgram the program {@code urom_worker}
     * @param pluginDirectories the directories of plugins, scanned in this order
     * @return a builder with defaults for all other settings
     */
    public static Builder builder(Path workerProgram, List<Path> pluginDirectories) {
        return new Builder(WorkerSettings.of(workerProgram), List.copyOf(pluginDirectories));
    }

    /**
     * Returns a builder that is initialized with this configuration.
     *
     * @return a builder with all settings of this configuration
     */
    public Builder toBuilder() {
        var builder = new Builder(workers, pluginDirectories);
        builder.listen = listen;
        builder.users = users;
        builder.remote = remote;
        builder.maxMessageSize = maxMessageSize;
        builder.cores = cores;
        builder.pluginClasses = pluginClasses;
        builder.limits = limits;
        builder.logs = logs;
        return builder;
    }

    /**
     * Returns the addresses at which hosts connect.
     *
     * @return the addresses; if empty, a Unix socket in the service's private directory
     */
    public List<ListenAddress> listen() {
        return listen;
    }

    /**
     * Returns the users that the service serves.
     *
     * @return the users of this machine
     */
    public Users users() {
        return users;
    }

    /**
     * Returns the settings for hosts of other machines.
     *
     * @return the keys of both sides; empty if the service listens only at Unix sockets
     */
    public Optional<RemoteAccess> remote() {
        return remote;
    }

    /**
     * Returns the maximum size of a message between a host and a worker. Hosts must use the same.
     *
     * @return a number of bytes, {@value UromService#MIN_MESSAGE_SIZE} to {@value UromService#MAX_MESSAGE_SIZE}
     */
    public int maxMessageSize() {
        return maxMessageSize;
    }

    /**
     * Returns the number of cores that the service presents.
     *
     * @return 1 to 1024; empty for the cores that this process may use
     */
    public OptionalInt cores() {
        return cores;
    }

    /**
     * Returns the directories of plugins.
     *
     * @return the directories, scanned in this order
     */
    public List<Path> pluginDirectories() {
        return pluginDirectories;
    }

    /**
     * Returns the plugins in Java that the service offers in addition to those of its directories.
     *
     * @return their classes
     */
    public List<Class<? extends WorkerPlugin>> pluginClasses() {
        return pluginClasses;
    }

    /**
     * Returns the configuration of the workers.
     *
     * @return their program and the limits of each worker
     */
    public WorkerSettings workers() {
        return workers;
    }

    /**
     * Returns the limits on what hosts may use.
     *
     * @return the limits
     */
    public Limits limits() {
        return limits;
    }

    /**
     * Returns the configuration of the logs.
     *
     * @return the settings
     */
    public LogSettings logs() {
        return logs;
    }

    private List<Object> values() {
        return List.of(
                listen, users, remote, maxMessageSize, cores, pluginDirectories, pluginClasses, workers, limits, logs);
    }

    /**
     * Compares this configuration with another.
     *
     * @param other any object
     * @return true if it is a configuration with the same settings
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
                + ", pluginClasses=" + pluginClasses
                + ", workers=" + workers
                + ", limits=" + limits
                + ", logs=" + logs + "]";
    }

    /** Builds configurations. This class is not thread-safe. */
    public static final class Builder {

        private List<Path> pluginDirectories;
        private List<Class<? extends WorkerPlugin>> pluginClasses = List.of();
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
         * Adds folders of plugins. The service offers each {@code *.so} under its name without that suffix; of
         * several with one name, it uses the first. Corresponds to a part of {@code UROM_PLUGIN_PATH}.
         *
         * @param directories the folders, scanned in this order after the present ones
         * @return this
         */
        public Builder plugins(Path... directories) {
            pluginDirectories = Stream.concat(pluginDirectories.stream(), Stream.of(directories))
                    .map(Path::toAbsolutePath)
                    .toList();
            return this;
        }

        /**
         * Adds a plugin in Java, for development and tests. Its workers use the class path and the JDK of this
         * process; a service for other users needs a folder that {@code urom plugin package} has written.
         *
         * @param type a public class with a public constructor without parameters
         * @return this
         */
        public Builder plugin(Class<? extends WorkerPlugin> type) {
            pluginClasses = Stream.<Class<? extends WorkerPlugin>>concat(pluginClasses.stream(), Stream.of(type))
                    .toList();
            return this;
        }

        /**
         * Sets the addresses at which hosts connect.
         *
         * @param addresses the addresses; if empty, a Unix socket in the service's private directory
         * @return this
         */
        public Builder listen(ListenAddress... addresses) {
            listen = List.of(addresses);
            return this;
        }

        /**
         * Sets the users that the service serves.
         *
         * @param served the users of this machine
         * @return this
         */
        public Builder users(Users served) {
            users = Objects.requireNonNull(served);
            return this;
        }

        /**
         * Accepts hosts of other machines.
         *
         * @param access the keys of both sides
         * @return this
         */
        public Builder remote(RemoteAccess access) {
            remote = Optional.of(access);
            return this;
        }

        /**
         * Sets the maximum size of a message between a host and a worker.
         *
         * @param bytes a number of bytes, {@value UromService#MIN_MESSAGE_SIZE} to {@value
         *        UromService#MAX_MESSAGE_SIZE}
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder maxMessageSize(int bytes) {
            Range.require("maximum message size", bytes, UromService.MIN_MESSAGE_SIZE, UromService.MAX_MESSAGE_SIZE);
            maxMessageSize = bytes;
            return this;
        }

        /**
         * Sets the number of cores that the service presents.
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
         * Sets the configuration of the workers.
         *
         * @param settings their program and the limits of each worker
         * @return this
         */
        public Builder workers(WorkerSettings settings) {
            workers = Objects.requireNonNull(settings);
            return this;
        }

        /**
         * Sets the limits on what hosts may use.
         *
         * @param allowed the limits
         * @return this
         */
        public Builder limits(Limits allowed) {
            limits = Objects.requireNonNull(allowed);
            return this;
        }

        /**
         * Sets the configuration of the logs.
         *
         * @param settings the settings
         * @return this
         */
        public Builder logs(LogSettings settings) {
            logs = Objects.requireNonNull(settings);
            return this;
        }

        /**
         * Returns the configuration.
         *
         * @return a configuration with the settings of this builder
         * @throws IllegalArgumentException if an address requires a key and there is none
         */
        public DaemonConfiguration build() {
            for (var address : listen) {
                if (address instanceof ListenAddress.Tls && remote.isEmpty()) {
                    throw new IllegalArgumentException("The service does not listen at " + address
                            + " without a key, because any host could start programs here; configure a key and"
                            + " authorized hosts, or listen at unix:PATH");
                }
            }
            return new DaemonConfiguration(this);
        }
    }
}

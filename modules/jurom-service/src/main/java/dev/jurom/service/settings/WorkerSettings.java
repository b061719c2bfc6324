// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import dev.jurom.core.internal.Timeout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of the workers of a service. Instances are immutable.
 */
public final class WorkerSettings {

    /** Default time after which a worker that does not answer is killed. */
    public static final Duration DEFAULT_HANG_TIMEOUT = Duration.ofSeconds(60);

    /** Default maximum time of a callback that a plugin can announce. */
    public static final Duration DEFAULT_BUSY_TIMEOUT = Duration.ofHours(1);

    /** Default number of processes and threads of a worker that has a cgroup of its own. */
    public static final int DEFAULT_TASKS = 1024;
    /** Default number of processes and threads of all such workers of a user. */
    public static final int DEFAULT_TASKS_PER_USER = 8192;

    private final Path program;
    private final long memory;
    private final int files;
    private final int tasks;
    private final int tasksPerUser;
    private final Duration hangTimeout;
    private final Duration busyTimeout;
    private final Optional<String> pluginTransports;
    private final Optional<Path> cores;

    private WorkerSettings(Builder builder) {
        program = builder.program;
        memory = builder.memory;
        files = builder.files;
        tasks = builder.tasks;
        tasksPerUser = builder.tasksPerUser;
        hangTimeout = builder.hangTimeout;
        busyTimeout = builder.busyTimeout;
        pluginTransports = builder.pluginTransports;
        cores = builder.cores;
    }

    /**
     * Returns a builder.
     *
     * @param program the program {@code urom_worker}
     * @return a builder with the default settings
     */
    public static Builder builder(Path program) {
        return new Builder(program);
    }

    /**
     * Returns a builder that is initialized with these settings.
     *
     * @return a builder with all of these settings
     */
    public Builder toBuilder() {
        var builder = new Builder(program);
        builder.memory = memory;
        builder.files = files;
        builder.tasks = tasks;
        builder.tasksPerUser = tasksPerUser;
        builder.hangTimeout = hangTimeout;
        builder.busyTimeout = busyTimeout;
        builder.pluginTransports = pluginTransports;
        builder.cores = cores;
        return builder;
    }

    /**
     * Returns the default settings.
     *
     * @param program the program {@code urom_worker}
     * @return the settings
     */
    public static WorkerSettings of(Path program) {
        return builder(program).build();
    }

    /**
     * Returns these settings with another time-out.
     *
     * @param timeout the time after which a worker that does not answer is killed; zero: never
     * @return new settings
     * @throws IllegalArgumentException if the time-out is negative
     */
    public WorkerSettings withHangTimeout(Duration timeout) {
        return toBuilder().hangTimeout(timeout).build();
    }

    /**
     * Returns these settings with another limit on the time that a plugin can announce for a callback
     * ({@code jurom_worker_busy}). A worker that does not answer is not killed within that time.
     *
     * @param timeout the maximum time; zero: announcements have no effect
     * @return new settings
     * @throws IllegalArgumentException if the time is negative
     */
    public WorkerSettings withBusyTimeout(Duration timeout) {
        return toBuilder().busyTimeout(timeout).build();
    }

    /**
     * Returns these settings with limits on the system resources of each worker.
     *
     * @param bytes maximum number of bytes of data; 0: no limit
     * @param descriptors maximum number of open descriptors; 0: no limit
     * @return new settings
     * @throws IllegalArgumentException if a number is negative
     */
    public WorkerSettings withResources(long bytes, int descriptors) {
        return toBuilder().memory(bytes).files(descriptors).build();
    }

    /**
     * Returns these settings with other limits on processes and threads, which apply to workers that have cgroups
     * of their own because of a memory limit.
     *
     * @param worker maximum number of processes and threads of a worker; 0: no limit
     * @param user maximum number of processes and threads of all workers of a user; 0: no limit
     * @return new settings
     * @throws IllegalArgumentException if a number is negative
     */
    public WorkerSettings withTasks(int worker, int user) {
        return toBuilder().tasks(worker).tasksPerUser(user).build();
    }

    /**
     * Returns these settings with more transports for plugins.
     *
     * @param list the value of {@code UCX_TLS}
     * @return new settings
     */
    public WorkerSettings withPluginTransports(String list) {
        return toBuilder().pluginTransports(list).build();
    }

    /**
     * Returns these settings with a folder for cores: the working directory of a worker is then a folder of its
     * user in it, with mode 0700, instead of the root directory.
     *
     * @param folder an existing folder to which no other user can write, and that all users can enter
     * @return new settings
     */
    public WorkerSettings withCores(Path folder) {
        return toBuilder().cores(folder).build();
    }

    /**
     * Returns the program {@code urom_worker}.
     *
     * @return its path
     */
    public Path program() {
        return program;
    }

    /**
     * Returns the limit on the data of a worker ({@code RLIMIT_DATA}).
     *
     * @return a number of bytes; 0: no limit
     */
    public long memory() {
        return memory;
    }

    /**
     * Returns the limit on the descriptors of a worker ({@code RLIMIT_NOFILE}).
     *
     * @return a number; 0: no limit
     */
    public int files() {
        return files;
    }

    /**
     * Returns the limit on the processes and threads of a worker.
     *
     * @return a number; 0: no limit
     */
    public int tasks() {
        return tasks;
    }

    /**
     * Returns the limit on the processes and threads of all workers of a user.
     *
     * @return a number; 0: no limit
     */
    public int tasksPerUser() {
        return tasksPerUser;
    }

    /**
     * Returns the time after which a worker that does not answer is killed.
     *
     * @return the time; zero: never
     */
    public Duration hangTimeout() {
        return hangTimeout;
    }

    /**
     * Returns the maximum time of a callback that a plugin can announce.
     *
     * @return the time; zero: announcements have no effect
     */
    public Duration busyTimeout() {
        return busyTimeout;
    }

    /**
     * Returns the UCX transports that plugins may use beyond {@code posix,cma,self}.
     *
     * @return the value of {@code UCX_TLS}; if it contains {@code tcp}, workers open ports to every network of
     *        the machine
     */
    public Optional<String> pluginTransports() {
        return pluginTransports;
    }

    /**
     * Returns the folder for cores.
     *
     * @return an absolute path; if empty, workers run in the root directory
     */
    public Optional<Path> cores() {
        return cores;
    }

    private List<Object> values() {
        return List.of(program, memory, files, tasks, tasksPerUser, hangTimeout, busyTimeout, pluginTransports, cores);
    }

    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkerSettings that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "WorkerSettings[program=" + program + ", memory=" + memory + ", files=" + files + ", tasks=" + tasks
                + ", tasksPerUser=" + tasksPerUser + ", hangTimeout=" + hangTimeout + ", busyTimeout=" + busyTimeout
                + ", pluginTransports="
                + pluginTransports + ", cores=" + cores + "]";
    }

    /** Builds settings. This class is not thread-safe. */
    public static final class Builder {

        private final Path program;
        private long memory;
        private int files;
        private int tasks = DEFAULT_TASKS;
        private int tasksPerUser = DEFAULT_TASKS_PER_USER;
        private Duration hangTimeout = DEFAULT_HANG_TIMEOUT;
        private Duration busyTimeout = DEFAULT_BUSY_TIMEOUT;
        private Optional<String> pluginTransports = Optional.empty();
        private Optional<Path> cores = Optional.empty();

        private Builder(Path program) {
            this.program = Objects.requireNonNull(program);
        }

        /**
         * Sets the limit on the data of a worker.
         *
         * @param value a number of bytes; 0: no limit
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder memory(long value) {
            Range.require("memory of a worker", value, 0, Long.MAX_VALUE);
            memory = value;
            return this;
        }

        /**
         * Sets the limit on the descriptors of a worker.
         *
         * @param value a number; 0: no limit
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder files(int value) {
            Range.require("number of files of a worker", value, 0, Integer.MAX_VALUE);
            files = value;
            return this;
        }

        /**
         * Sets the limit on the processes and threads of a worker that has a cgroup of its own.
         *
         * @param value a number; 0: no limit
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder tasks(int value) {
            Range.require("number of tasks of a worker", value, 0, Integer.MAX_VALUE);
            tasks = value;
            return this;
        }

        /**
         * Sets the limit on the processes and threads of all such workers of a user.
         *
         * @param value a number; 0: no limit
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder tasksPerUser(int value) {
            Range.require("number of tasks of a user's workers", value, 0, Integer.MAX_VALUE);
            tasksPerUser = value;
            return this;
        }

        /**
         * Sets the time after which a worker that does not answer is killed.
         *
         * @param timeout the time; zero: never
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder hangTimeout(Duration timeout) {
            requireTimeout("time-out of workers", timeout);
            hangTimeout = timeout;
            return this;
        }

        /**
         * Sets the limit on the time that a plugin can announce for a callback ({@code jurom_worker_busy}). A
         * worker that does not answer is not killed within that time.
         *
         * @param timeout the maximum time; zero: announcements have no effect
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder busyTimeout(Duration timeout) {
            requireTimeout("time-out of busy workers", timeout);
            busyTimeout = timeout;
            return this;
        }

        /**
         * Sets the folder for cores: the working directory of a worker is then a folder of its user in it, with
         * mode 0700, instead of the root directory.
         *
         * @param folder an existing folder to which no other user can write, and that all users can enter
         * @return this
         */
        public Builder cores(Path folder) {
            cores = Optional.of(folder.toAbsolutePath());
            return this;
        }

        private static void requireTimeout(String name, Duration timeout) {
            if (timeout.isNegative()) { // milliseconds would round -1 ns to 0
                throw new IllegalArgumentException(
                        "The " + name + " is " + Timeout.text(timeout) + ": it must not be negative");
            }
            Range.require(name + " in milliseconds", timeout.toMillis(), 0, Integer.MAX_VALUE);
        }

        /**
         * Sets the UCX transports that plugins may use beyond {@code posix,cma,self}.
         *
         * @param list the value of {@code UCX_TLS}
         * @return this
         */
        public Builder pluginTransports(String list) {
            pluginTransports = Optional.of(list);
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return immutable settings with the values of this builder
         */
        public WorkerSettings build() {
            return new WorkerSettings(this);
        }
    }
}

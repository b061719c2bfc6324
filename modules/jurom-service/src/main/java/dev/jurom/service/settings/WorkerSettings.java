// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of a service are like.
 */
public final class WorkerSettings {

    /** How long a worker may fail to answer unless another time is asked for. */
    public static final Duration DEFAULT_HANG_TIMEOUT = Duration.ofSeconds(60);

    private final Path program;
    private final long memory;
    private final int files;
    private final Duration hangTimeout;
    private final Optional<String> pluginTransports;

    private WorkerSettings(
            Path program, long memory, int files, Duration hangTimeout, Optional<String> pluginTransports) {
        this.program = Objects.requireNonNull(program);
        this.memory = memory;
        this.files = files;
        this.hangTimeout = hangTimeout;
        this.pluginTransports = Objects.requireNonNull(pluginTransports);
        Range.require("memory of a worker", memory, 0, Long.MAX_VALUE);
        Range.require("number of files of a worker", files, 0, Integer.MAX_VALUE);
        if (hangTimeout.isNegative()) { // in milliseconds, -1 ns is 0
            throw new IllegalArgumentException(
                    "The time-out of workers is " + hangTimeout + ": it must not be negative");
        }
        Range.require("time-out of workers in milliseconds", hangTimeout.toMillis(), 0, Integer.MAX_VALUE);
    }

    /**
     * The usual workers.
     *
     * @param program the program {@code urom_worker}
     * @return the settings
     */
    public static WorkerSettings of(Path program) {
        return new WorkerSettings(program, 0, 0, DEFAULT_HANG_TIMEOUT, Optional.empty());
    }

    /**
     * These settings, with another time-out.
     *
     * @param timeout how long a worker may fail to answer before it is killed; zero: for ever
     * @return new settings
     * @throws IllegalArgumentException if the time-out is negative
     */
    public WorkerSettings withHangTimeout(Duration timeout) {
        return new WorkerSettings(program, memory, files, timeout, pluginTransports);
    }

    /**
     * These settings, with limits on what a worker takes from the system.
     *
     * @param bytes of data; 0: no limit
     * @param descriptors open at a time; 0: no limit
     * @return new settings
     * @throws IllegalArgumentException if a number is negative
     */
    public WorkerSettings withResources(long bytes, int descriptors) {
        return new WorkerSettings(program, bytes, descriptors, hangTimeout, pluginTransports);
    }

    /**
     * These settings, with more transports for plugins.
     *
     * @param list what {@code UCX_TLS} is set to
     * @return new settings
     */
    public WorkerSettings withPluginTransports(String list) {
        return new WorkerSettings(program, memory, files, hangTimeout, Optional.of(list));
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
     * Returns the limit of the data of a worker ({@code RLIMIT_DATA}).
     *
     * @return bytes; 0: no limit
     */
    public long memory() {
        return memory;
    }

    /**
     * Returns the limit of the descriptors of a worker ({@code RLIMIT_NOFILE}).
     *
     * @return a number; 0: no limit
     */
    public int files() {
        return files;
    }

    /**
     * Returns how long a worker may fail to answer before it is killed.
     *
     * @return the time; zero: for ever
     */
    public Duration hangTimeout() {
        return hangTimeout;
    }

    /**
     * Returns the UCX transports that plugins may use beyond {@code posix,cma,self}.
     *
     * @return the value of {@code UCX_TLS}; {@code tcp} in it opens ports to every network of the
     *         machine
     */
    public Optional<String> pluginTransports() {
        return pluginTransports;
    }

    private List<Object> values() {
        return List.of(program, memory, files, hangTimeout, pluginTransports);
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
        return "WorkerSettings[program=" + program + ", memory=" + memory + ", files=" + files + ", hangTimeout="
                + hangTimeout + ", pluginTransports=" + pluginTransports + "]";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What the workers of a service are like.
 *
 * @param program the program {@code urom_worker}
 * @param memory bytes of data that one may have ({@code RLIMIT_DATA}); 0: no limit
 * @param files descriptors that one may have ({@code RLIMIT_NOFILE}); 0: no limit
 * @param hangTimeout how long one may fail to answer before it is killed; zero: for ever
 * @param pluginTransports the UCX transports that plugins may use beyond {@code posix,cma,self};
 *        {@code tcp} among them opens ports to every network of the machine
 */
public record WorkerSettings(Path program, long memory, int files, Duration hangTimeout,
        Optional<String> pluginTransports) {

    /** How long a worker may fail to answer unless another time is asked for. */
    public static final Duration DEFAULT_HANG_TIMEOUT = Duration.ofSeconds(60);

    /**
     * Makes settings.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public WorkerSettings {
        Objects.requireNonNull(program);
        Objects.requireNonNull(pluginTransports);
        Range.require("memory of a worker", memory, 0, Long.MAX_VALUE);
        Range.require("number of files of a worker", files, 0, Integer.MAX_VALUE);
        Range.require("time-out of workers in milliseconds", hangTimeout.toMillis(), 0,
                Integer.MAX_VALUE);
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
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.Timeout;
import dev.jurom.urom.UromService;
import dev.jurom.urom.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The configuration of a {@link WorkerPool}, created with a {@link #builder}. Instances are immutable. */
public final class PoolConfiguration {

    /** The default time after which a busy worker is replaced: 60 seconds. */
    public static final Duration DEFAULT_REPLACE_AFTER = Duration.ofSeconds(60);

    private final WorkerConfiguration worker;
    private final int workers;
    private final Duration replaceAfter;

    private PoolConfiguration(Builder builder) {
        worker = builder.worker;
        workers = builder.workers;
        replaceAfter = builder.replaceAfter;
    }

    /**
     * Returns a builder.
     *
     * @param worker the configuration of each worker. If it has an id, the workers have this id and those that follow,
     *        and pools with the same ids share the workers
     * @return a builder with one worker and default settings
     */
    public static Builder builder(WorkerConfiguration worker) {
        return new Builder(worker);
    }

    /**
     * Returns a builder that is initialized with this configuration.
     *
     * @return a builder with all settings of this configuration
     */
    public Builder toBuilder() {
        var builder = new Builder(worker);
        builder.workers = workers;
        builder.replaceAfter = replaceAfter;
        return builder;
    }

    /**
     * Returns the configuration of each worker.
     *
     * @return the configuration, with the id of the first worker
     */
    public WorkerConfiguration worker() {
        return worker;
    }

    /**
     * Returns the number of workers.
     *
     * @return 1 to {@value UromService#MAX_WORKERS}
     */
    public int workers() {
        return workers;
    }

    /**
     * Returns the time after which a busy worker is replaced.
     *
     * @return a positive duration
     */
    public Duration replaceAfter() {
        return replaceAfter;
    }

    /** Returns whether the workers have ids, so that other pools can share them. */
    boolean hasIds() {
        return worker.id() != WorkerId.ANY;
    }

    /** Returns the configuration of a worker. */
    WorkerConfiguration worker(int index) {
        return hasIds() ? worker.toBuilder().id(worker.id() + index).build() : worker;
    }

    private List<Object> values() {
        return List.of(worker, workers, replaceAfter);
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
        return other instanceof PoolConfiguration that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "PoolConfiguration[worker=" + worker + ", workers=" + workers + ", replaceAfter="
                + Timeout.text(replaceAfter) + "]";
    }

    /** Builds configurations. Not thread-safe. */
    public static final class Builder {

        private final WorkerConfiguration worker;
        private int workers = 1;
        private Duration replaceAfter = DEFAULT_REPLACE_AFTER;

        private Builder(WorkerConfiguration worker) {
            this.worker = Objects.requireNonNull(worker);
        }

        /**
         * Sets the number of workers. The maximum number of workers of the
         * {@linkplain UromConfiguration.Builder#maxWorkers Urom} also includes replaced workers that still run a command.
         *
         * @param number 1 to {@value UromService#MAX_WORKERS}
         * @return this
         * @throws IllegalArgumentException if it is out of that range
         */
        public Builder workers(int number) {
            Count.requireWithin("The number of workers", number, 1, UromService.MAX_WORKERS);
            workers = number;
            return this;
        }

        /**
         * Sets the time after which a busy worker is replaced. A worker is busy while it has commands and answers none of
         * them. If a plugin answers commands later, in any order, choose a time that is longer than the longest pause
         * between two answers.
         *
         * @param time a positive duration; a busy worker is replaced at most a quarter of it later
         * @return this
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder replaceAfter(Duration time) {
            replaceAfter = Timeout.requirePositive("The time after which a busy worker is replaced", time);
            return this;
        }

        /**
         * Builds the configuration.
         *
         * @return a configuration with the settings of this builder
         */
        public PoolConfiguration build() {
            return new PoolConfiguration(this);
        }
    }
}

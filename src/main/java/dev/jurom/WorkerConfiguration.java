// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.Timeout;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What a worker is like. Made with a {@link #builder}; never changes. */
public final class WorkerConfiguration {

    /** How many commands can be in flight unless another number is asked for. */
    public static final int DEFAULT_TASKS = 64;

    /** How long a call waits for a slot by default. */
    public static final Duration DEFAULT_SUBMIT_TIMEOUT = Duration.ofSeconds(30);

    private final List<String> plugins;
    private final long id;
    private final OptionalInt group;
    private final Optional<CpuSet> cpus;
    private final Map<String, String> environment;
    private final int tasks;
    private final Duration submitTimeout;

    private WorkerConfiguration(Builder builder) {
        plugins = builder.plugins;
        id = builder.id;
        group = builder.group;
        cpus = builder.cpus;
        environment = builder.environment;
        tasks = builder.tasks;
        submitTimeout = builder.submitTimeout;
    }

    /**
     * A worker with the given plugins, and everything else as by default.
     *
     * @param plugins their names: at least one
     * @return the configuration
     * @throws IllegalArgumentException if there is no plugin
     */
    public static WorkerConfiguration of(String... plugins) {
        return builder(plugins).build();
    }

    /**
     * Begins a configuration.
     *
     * @param plugins the names of the plugins that the worker loads: at least one
     * @return a builder that has everything else as by default
     * @throws IllegalArgumentException if there is no plugin
     */
    public static Builder builder(String... plugins) {
        if (plugins.length == 0) {
            throw new IllegalArgumentException("A worker needs at least one plugin");
        }
        return new Builder(List.of(plugins));
    }

    /**
     * The plugins that it loads.
     *
     * @return their names: at least one
     */
    public List<String> plugins() {
        return plugins;
    }

    /**
     * Its id.
     *
     * @return {@link WorkerId#ANY} for a fresh one
     */
    public long id() {
        return id;
    }

    /**
     * The group that it is in.
     *
     * @return the group's id, taken as unsigned; empty for none
     */
    public OptionalInt group() {
        return group;
    }

    /**
     * The CPUs that it may use.
     *
     * @return a part of the service's; empty for all of them
     */
    public Optional<CpuSet> cpus() {
        return cpus;
    }

    /**
     * Environment variables of its process.
     *
     * @return values by name
     */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * How many commands can be in flight.
     *
     * @return a power of two
     */
    public int tasks() {
        return tasks;
    }

    /**
     * Returns how long a call without a timeout of its own waits for a free slot.
     *
     * @return how long at most
     */
    public Duration submitTimeout() {
        return submitTimeout;
    }

    /** Sets all but the plugins at an idle context. */
    void apply(UromWorker context) {
        context.setMaxTasks(tasks);
        context.setId(id);
        group.ifPresent(context::setGroup);
        cpus.ifPresent(context::setCpuSet);
        if (!environment.isEmpty()) {
            context.setEnvironment(environment);
        }
    }

    private List<Object> values() {
        return List.of(plugins, id, group, cpus, environment, tasks, submitTimeout);
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
        return other instanceof WorkerConfiguration that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "WorkerConfiguration[plugins=" + plugins
                + ", id=" + (id == WorkerId.ANY ? "any" : WorkerId.toString(id))
                + ", group=" + (group.isPresent() ? Integer.toUnsignedString(group.getAsInt()) : "none")
                + ", cpus=" + cpus.map(Object::toString).orElse("all")
                + ", environment=" + environment.keySet()
                + ", tasks=" + tasks
                + ", submitTimeout=" + Timeout.text(submitTimeout) + "]";
    }

    /** Makes configurations. Of one thread. */
    public static final class Builder {

        private final List<String> plugins;
        private long id = WorkerId.ANY;
        private OptionalInt group = OptionalInt.empty();
        private Optional<CpuSet> cpus = Optional.empty();
        private Map<String, String> environment = Map.of();
        private int tasks = DEFAULT_TASKS;
        private Duration submitTimeout = DEFAULT_SUBMIT_TIMEOUT;

        private Builder(List<String> plugins) {
            this.plugins = plugins;
        }

        /**
         * Chooses the worker's id; one that exists leads to its process.
         *
         * @param wanted the id
         * @return this
         */
        public Builder id(long wanted) {
            id = wanted;
            return this;
        }

        /**
         * Puts the worker into a group.
         *
         * @param wanted the group's id, taken as unsigned
         * @return this
         */
        public Builder group(int wanted) {
            group = OptionalInt.of(wanted);
            return this;
        }

        /**
         * Chooses the CPUs that the worker may use.
         *
         * @param wanted a part of the service's
         * @return this
         */
        public Builder cpus(CpuSet wanted) {
            cpus = Optional.of(wanted);
            return this;
        }

        /**
         * Sets environment variables of a worker that is started anew.
         *
         * @param variables values by name
         * @return this
         * @throws IllegalArgumentException if a name is empty or contains "=", or a variable
         *         contains NUL
         */
        public Builder environment(Map<String, String> variables) {
            variables.forEach(UromWorker::requireVariable);
            environment = Map.copyOf(variables);
            return this;
        }

        /**
         * Sets how many commands can be in flight.
         *
         * @param number a power of two, up to {@value UromWorker#MAX_TASKS}
         * @return this
         * @throws IllegalArgumentException if it is not that
         */
        public Builder tasks(int number) {
            Count.requirePowerOfTwo("The number of tasks", number, UromWorker.MAX_TASKS);
            tasks = number;
            return this;
        }

        /**
         * Sets how long a call without a timeout of its own waits for a free slot.
         *
         * @param timeout how long at most
         * @return this
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder submitTimeout(Duration timeout) {
            submitTimeout = Timeout.requirePositive("The submit timeout", timeout);
            return this;
        }

        /**
         * Ends the configuration.
         *
         * @return what was asked for
         */
        public WorkerConfiguration build() {
            return new WorkerConfiguration(this);
        }
    }
}

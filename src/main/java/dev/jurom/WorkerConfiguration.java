// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.internal.Count;
import dev.jurom.core.internal.EnvironmentVariable;
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

/** The configuration of a worker, created with a {@link #builder}. Instances are immutable. */
public final class WorkerConfiguration {

    /** The default maximum number of commands in flight. */
    public static final int DEFAULT_TASKS = 64;

    /** The default maximum time that a call waits for a slot: 30 seconds. */
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
     * Returns a configuration with the given plugins and default settings.
     *
     * @param plugins the names of the plugins, at least one
     * @return the configuration
     * @throws IllegalArgumentException if there is no plugin
     */
    public static WorkerConfiguration of(String... plugins) {
        return builder(plugins).build();
    }

    /**
     * Returns a builder.
     *
     * @param plugins the names of the plugins that the worker loads, at least one
     * @return a builder with default settings
     * @throws IllegalArgumentException if there is no plugin
     */
    public static Builder builder(String... plugins) {
        if (plugins.length == 0) {
            throw new IllegalArgumentException("A worker needs at least one plugin");
        }
        return new Builder(List.of(plugins));
    }

    /**
     * Returns a builder that is initialized with this configuration.
     *
     * @return a builder with all settings of this configuration
     */
    public Builder toBuilder() {
        var builder = new Builder(plugins);
        builder.id = id;
        builder.group = group;
        builder.cpus = cpus;
        builder.environment = environment;
        builder.tasks = tasks;
        builder.submitTimeout = submitTimeout;
        return builder;
    }

    /**
     * Returns the plugins that the worker loads.
     *
     * @return the names of the plugins, at least one
     */
    public List<String> plugins() {
        return plugins;
    }

    /**
     * Returns the worker's id.
     *
     * @return the id; {@link WorkerId#ANY} if the service chooses it
     */
    public long id() {
        return id;
    }

    /**
     * Returns the worker's group.
     *
     * @return the group's id, an unsigned number; empty for none
     */
    public OptionalInt group() {
        return group;
    }

    /**
     * Returns the CPUs that the worker may use.
     *
     * @return a subset of the service's CPUs; empty for all of them
     */
    public Optional<CpuSet> cpus() {
        return cpus;
    }

    /**
     * Returns the environment variables of the worker's process.
     *
     * @return the values by name
     */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Returns the maximum number of commands in flight.
     *
     * @return a power of two
     */
    public int tasks() {
        return tasks;
    }

    /**
     * Returns the maximum time that a call without its own timeout waits for a free slot, within the call
     * timeout.
     *
     * @return a positive duration
     */
    public Duration submitTimeout() {
        return submitTimeout;
    }

    /** Applies all settings except the plugins to an idle context. */
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
     * @return true if it is a configuration with the same settings
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

    /** Builds configurations. Not thread-safe. */
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
         * Sets the worker's id. The id of an existing worker connects to its process.
         *
         * @param wanted the id
         * @return this
         */
        public Builder id(long wanted) {
            id = wanted;
            return this;
        }

        /**
         * Sets the worker's group.
         *
         * @param wanted the group's id, an unsigned number
         * @return this
         */
        public Builder group(int wanted) {
            group = OptionalInt.of(wanted);
            return this;
        }

        /**
         * Sets the CPUs that the worker may use.
         *
         * @param wanted a subset of the service's CPUs
         * @return this
         */
        public Builder cpus(CpuSet wanted) {
            cpus = Optional.of(wanted);
            return this;
        }

        /**
         * Sets the environment variables of a new worker's process.
         *
         * @param variables the values by name
         * @return this
         * @throws IllegalArgumentException if a name is empty or contains "=", or a variable
         *         contains NUL
         */
        public Builder environment(Map<String, String> variables) {
            variables.forEach(EnvironmentVariable::require);
            environment = Map.copyOf(variables);
            return this;
        }

        /**
         * Sets the maximum number of commands in flight.
         *
         * @param number a power of two, at most {@value UromWorker#MAX_TASKS}
         * @return this
         * @throws IllegalArgumentException if it is not a power of two, or too large
         */
        public Builder tasks(int number) {
            Count.requirePowerOfTwo("The number of tasks", number, UromWorker.MAX_TASKS);
            tasks = number;
            return this;
        }

        /**
         * Sets the maximum time that a call without its own timeout waits for a free slot, within the call
         * timeout.
         *
         * @param timeout a positive duration
         * @return this
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder submitTimeout(Duration timeout) {
            submitTimeout = Timeout.requirePositive("The submit timeout", timeout);
            return this;
        }

        /**
         * Builds the configuration.
         *
         * @return a configuration with the settings of this builder
         */
        public WorkerConfiguration build() {
            return new WorkerConfiguration(this);
        }
    }
}

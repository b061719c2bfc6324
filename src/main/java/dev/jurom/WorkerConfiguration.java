// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.internal.WorkerRequest;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a worker is like.
 *
 * @param plugins the names of the plugins that it loads: at least one
 * @param id its id; {@link WorkerId#ANY} for a fresh one
 * @param group the group that it is in, if any; taken as unsigned
 * @param cpus the CPUs that it may use; without: the service's
 * @param environment environment variables of its process
 * @param tasks how many commands can be in flight: a power of two
 * @param submitTimeout how long a submit waits for one of them to become free
 */
public record WorkerConfiguration(List<String> plugins, long id, OptionalInt group,
        Optional<CpuSet> cpus, Map<String, String> environment, int tasks, Duration submitTimeout) {

    /** How many commands can be in flight unless another number is asked for. */
    public static final int DEFAULT_TASKS = 64;

    /** How long a submit waits at most unless another time is asked for. */
    public static final Duration DEFAULT_SUBMIT_TIMEOUT = Duration.ofSeconds(30);

    /**
     * Makes a configuration.
     *
     * @throws IllegalArgumentException if there is no plugin or the number of tasks is not a power
     *         of two
     */
    public WorkerConfiguration {
        plugins = List.copyOf(plugins);
        environment = Map.copyOf(environment);
        Objects.requireNonNull(group);
        Objects.requireNonNull(cpus);
        Objects.requireNonNull(submitTimeout);
        if (plugins.isEmpty()) {
            throw new IllegalArgumentException("A worker needs at least one plugin");
        }
        if (Integer.bitCount(tasks) != 1 || tasks < 1) {
            throw new IllegalArgumentException(
                    "The number of tasks is " + tasks + ": it must be a power of two");
        }
    }

    /**
     * A worker with the given plugins, and everything else as by default.
     *
     * @param plugins their names: at least one
     * @return the configuration, to be changed with the other methods
     */
    public static WorkerConfiguration of(String... plugins) {
        return new WorkerConfiguration(List.of(plugins), WorkerId.ANY, OptionalInt.empty(),
                Optional.empty(), Map.of(), DEFAULT_TASKS, DEFAULT_SUBMIT_TIMEOUT);
    }

    /**
     * This configuration, with an id.
     *
     * @param newId the worker's id
     * @return a new configuration
     */
    public WorkerConfiguration withId(long newId) {
        return new WorkerConfiguration(plugins, newId, group, cpus, environment, tasks,
                submitTimeout);
    }

    /**
     * This configuration, with a group.
     *
     * @param newGroup the group's id, taken as unsigned
     * @return a new configuration
     */
    public WorkerConfiguration withGroup(int newGroup) {
        return new WorkerConfiguration(plugins, id, OptionalInt.of(newGroup), cpus, environment,
                tasks, submitTimeout);
    }

    /**
     * This configuration, with CPUs.
     *
     * @param newCpus a part of the service's
     * @return a new configuration
     */
    public WorkerConfiguration withCpus(CpuSet newCpus) {
        return new WorkerConfiguration(plugins, id, group, Optional.of(newCpus), environment, tasks,
                submitTimeout);
    }

    /**
     * This configuration, with an environment.
     *
     * @param variables of a worker that is started anew
     * @return a new configuration
     */
    public WorkerConfiguration withEnvironment(Map<String, String> variables) {
        return new WorkerConfiguration(plugins, id, group, cpus, variables, tasks, submitTimeout);
    }

    /**
     * This configuration, with another number of commands in flight.
     *
     * @param number a power of two
     * @return a new configuration
     */
    public WorkerConfiguration withTasks(int number) {
        return new WorkerConfiguration(plugins, id, group, cpus, environment, number,
                submitTimeout);
    }

    /**
     * This configuration, with another time that a submit waits.
     *
     * @param timeout how long at most
     * @return a new configuration
     */
    public WorkerConfiguration withSubmitTimeout(Duration timeout) {
        return new WorkerConfiguration(plugins, id, group, cpus, environment, tasks, timeout);
    }

    WorkerRequest request() {
        return new WorkerRequest(plugins, tasks, submitTimeout, this::apply);
    }

    private void apply(UromWorker context) {
        context.setId(id);
        group.ifPresent(context::setGroup);
        cpus.ifPresent(context::setCpuSet);
        if (!environment.isEmpty()) {
            context.setEnvironment(environment);
        }
    }
}

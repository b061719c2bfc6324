// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.plan.Planner;
import dev.jurom.proof.runs.plan.RunPlan;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.files.RuntimeDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The processes that execute runs, their directory, and the resources that they had before the first run. */
final class RunEnvironment implements AutoCloseable {

    private static final Duration ORPHAN_TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 2_000_000;
    private static final long WARMUP_SEED = 17;
    private static final int WARMUP_RUNS = 3;
    private static final int SETTLING_RUNS = 200; // after which the memory of a JVM is stable

    private final RunProcesses processes;
    private final Logs logs;
    private Leftovers before; // null if the processes are new
    private ServiceCountersCheck counters;
    private int runs; // with these processes
    private long settled; // memory after these runs, in KiB

    /**
     * Creates an environment without starting its processes.
     *
     * @param directory the directory for the files of the processes
     */
    RunEnvironment(Path directory, Installation installation) {
        processes = new RunProcesses(directory, installation);
        logs = new Logs(directory);
    }

    /**
     * Executes a few runs without faults and without checks, so that the processes open their permanent
     * resources.
     */
    static void warmUp(RunProcesses processes) {
        for (var run = 1; run <= WARMUP_RUNS; run++) {
            LiveRun.run(Planner.draw(WARMUP_SEED, run).withoutFaults(), processes);
        }
        Leftovers.awaitNoWorkers(processes);
        processes.faults().clear();
    }

    Path directory() {
        return processes.directory();
    }

    /** Returns whether the processes are running. */
    boolean isReady() {
        return before != null;
    }

    /** Executes a plan and checks the result. After a violation, the processes are killed. */
    Outcome run(RunPlan plan) {
        var observed = LiveRun.run(plan, processes);
        var outcome = check(plan, observed);
        if (!outcome.passes()) {
            close();
        } else if (before != null && !observed.leftOver.isEmpty()) {
            before = Leftovers.before(processes);
        }
        if (before != null && ++runs == SETTLING_RUNS) {
            settled = memory();
        }
        return outcome;
    }

    /** Returns the memory of the service and the Java hosts in KiB. */
    private long memory() {
        return ProcessInfo.memory(processes.service().id())
                + ProcessInfo.memory(processes.javaHosts().id());
    }

    /** Returns the memory growth since warm-up, or empty after few runs. */
    Optional<MemoryGrowth> growth() {
        return before == null || runs <= SETTLING_RUNS
                ? Optional.empty()
                : Optional.of(new MemoryGrowth(memory() - settled, runs - SETTLING_RUNS));
    }

    /** Starts the processes and warms them up. */
    void prepare() {
        processes.start();
        warmUp(processes);
        record(Leftovers.before(processes));
    }

    /** Starts the processes for a single run without warm-up, so that descriptor leaks cannot be detected. */
    void begin() {
        processes.start();
        record(Leftovers.beforeFirstRun(processes));
    }

    private void record(Leftovers now) {
        before = now;
        runs = 0;
        try {
            counters = ServiceCountersCheck.before(processes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        logs.newLines();
    }

    /** Returns the log lines since the previous run. */
    List<String> newLogLines() {
        return logs.newLines();
    }

    private Outcome check(RunPlan plan, Observation observed) {
        var begin = System.nanoTime();
        if (observed.exited.isEmpty() && observed.broken.isEmpty()) {
            findLeftOvers(observed);
            observed.broken.addAll(counters.find(processes::resumeStopped));
        } else {
            awaitOrphans(observed); // of a killed service
            removeDirectories();
            before = null;
        }
        observed.history.add(
                "%10.3f ms  spent on the check for leftovers".formatted((System.nanoTime() - begin) / 1e6));
        observed.log.addAll(logs.newLines());
        observed.events.addAll(processes.faults().events());
        observed.workerIds.putAll(processes.faults().workers());
        processes.faults().clear();
        observed.events.forEach(event -> observed.history.add(FaultEffects.text(event)));
        var checks = Checks.of(plan, observed);
        return new Outcome(
                plan,
                checks.violations(),
                List.copyOf(observed.results.values()),
                Stream.concat(
                                observed.applied.stream()
                                        .map(applied -> applied.signal().kind()),
                                observed.events.stream().map(FaultEffects::kind))
                        .toList(),
                checks.explained(),
                observed.history,
                observed.log,
                observed.took);
    }

    private void findLeftOvers(Observation observed) {
        observed.leftOver.addAll(before.find(
                processes::resumeStopped,
                () -> processes.faults().events().stream().anyMatch(FaultEffects::mayLeaveFiles)));
    }

    /** Waits for the exit of workers whose service was killed. */
    private void awaitOrphans(Observation observed) {
        var end = System.nanoTime() + ORPHAN_TIMEOUT.toNanos();
        var left = new ArrayList<>(observed.workers);
        while (!left.isEmpty() && System.nanoTime() < end) {
            processes.resumeStopped();
            LockSupport.parkNanos(PAUSE_NANOS);
            left.removeIf(worker -> !ProcessInfo.isRunning(worker));
        }
        if (!left.isEmpty()) {
            observed.leftOver.add("workers of a killed service: " + left);
            left.forEach(Signal.KILL::send);
        }
    }

    /**
     * Removes the directories of killed services. A service that starts also does this, but no service starts
     * after the last run. A service that is terminated must remove its own directory, which {@link
     * SharedNames} checks.
     */
    private static void removeDirectories() {
        try {
            RuntimeDirectory.open(Credentials.ofThisProcess(), false).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Terminates all processes; returns the names of those that had to be killed. */
    List<String> terminate() {
        before = null;
        return processes.terminate();
    }

    /** Kills all processes. */
    @Override
    public void close() {
        before = null;
        processes.close();
    }
}

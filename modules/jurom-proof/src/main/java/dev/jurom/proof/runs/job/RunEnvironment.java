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

/** Processes in a directory with their initial resources, on which runs are executed and checked. */
final class RunEnvironment implements AutoCloseable {

    private static final Duration ORPHAN_TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 2_000_000;
    private static final long WARMING_SEED = 17;
    private static final int WARMING_RUNS = 3;
    private static final int SETTLING_RUNS = 200; // until the memory of a JVM is stable

    private final RunProcesses processes;
    private final Logs logs;
    private Leftovers before; // null if the processes are new
    private ServiceCountersCheck counters;
    private int runs; // with these processes
    private long settled; // KiB

    /** {@code directory} is for the files of the processes. */
    RunEnvironment(Path directory, Installation installation) {
        processes = new RunProcesses(directory, installation);
        logs = new Logs(directory);
    }

    /** Executes a few runs without faults and without checks, so that the processes open permanent resources. */
    static void warm(RunProcesses processes) {
        for (var run = 1; run <= WARMING_RUNS; run++) {
            LiveRun.run(Planner.draw(WARMING_SEED, run).withoutFaults(), processes);
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
        var seen = LiveRun.run(plan, processes);
        var outcome = check(plan, seen);
        if (!outcome.passes()) {
            close();
        } else if (before != null && !seen.leftOver.isEmpty()) {
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
        warm(processes);
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

    private Outcome check(RunPlan plan, Observation seen) {
        var begin = System.nanoTime();
        if (seen.exited.isEmpty() && seen.broken.isEmpty()) {
            findLeftOvers(seen);
            seen.broken.addAll(counters.find(processes::resumeStopped));
        } else {
            awaitOrphans(seen); // of a killed service
            removeDirectories();
            before = null;
        }
        seen.history.add("%10.3f ms  to check for leftovers".formatted((System.nanoTime() - begin) / 1e6));
        seen.log.addAll(logs.newLines());
        seen.events.addAll(processes.faults().events());
        seen.workerIds.putAll(processes.faults().workers());
        processes.faults().clear();
        seen.events.forEach(event -> seen.history.add(FaultEffects.text(event)));
        var checks = Checks.of(plan, seen);
        return new Outcome(
                plan,
                checks.violations(),
                List.copyOf(seen.results.values()),
                Stream.concat(
                                seen.applied.stream()
                                        .map(applied -> applied.signal().kind()),
                                seen.events.stream().map(FaultEffects::kind))
                        .toList(),
                checks.explained(),
                seen.history,
                seen.log,
                seen.took);
    }

    private void findLeftOvers(Observation seen) {
        seen.leftOver.addAll(before.find(
                processes::resumeStopped,
                () -> processes.faults().events().stream().anyMatch(FaultEffects::mayLeaveFiles)));
    }

    /** Waits for the exit of workers whose service was killed. */
    private void awaitOrphans(Observation seen) {
        var end = System.nanoTime() + ORPHAN_TIMEOUT.toNanos();
        var left = new ArrayList<>(seen.workers);
        while (!left.isEmpty() && System.nanoTime() < end) {
            processes.resumeStopped();
            LockSupport.parkNanos(PAUSE_NANOS);
            left.removeIf(worker -> !ProcessInfo.isRunning(worker));
        }
        if (!left.isEmpty()) {
            seen.leftOver.add("workers of a killed service: " + left);
            left.forEach(Signal.KILL::send);
        }
    }

    /**
     * Removes the directories of killed services as each service does when it starts: none may start after the last
     * run. A service that is terminated must remove its own, which {@link SharedNames} checks.
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

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.plan.Planner;
import dev.jurom.proof.runs.plan.RunPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A crew in a directory, and what it had before runs: runs are carried out on it and judged. */
final class Rig implements AutoCloseable {

    private static final Duration ORPHANS = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 2_000_000;
    private static final long WARMING_SEED = 17;
    private static final int WARMING_RUNS = 3;
    private static final int SETTLING_RUNS = 200; // then a JVM has as much memory as it needs
    /** After one run in so many, a worker is killed that has a child. */
    private static final int KILLED_EVERY = 10;

    private final Crew crew;
    private final Logs logs;
    private final Path programs;
    private LeftOvers before; // null when processes are new
    private ServiceFacts facts;
    private int runs; // of these processes
    private long settled; // KiB

    /** {@code directory}: of its files. */
    Rig(Path directory, Installation installation) {
        crew = new Crew(directory, installation, installation.archives()::using);
        logs = new Logs(directory);
        programs = installation.hosts().getParent();
    }

    /** Does a few runs without a fault; what does not hold in them. */
    static List<String> warm(Crew crew) {
        var wrong = new ArrayList<String>();
        for (var i = 0; i < WARMING_RUNS && wrong.isEmpty(); i++) {
            var plan = Planner.draw(WARMING_SEED, 1 + i).withoutFaults();
            Checks.of(plan, LiveRun.run(plan, crew)).forEach(what -> wrong.add("before, without any fault: " + what));
        }
        LeftOvers.awaitNoWorkers(crew);
        return wrong;
    }

    Path directory() {
        return crew.directory();
    }

    /** Whether it has a crew that runs. */
    boolean isReady() {
        return before != null;
    }

    /** Carries a plan out and judges it. A crew with which something is wrong is killed. */
    Outcome run(RunPlan plan) {
        var seen = LiveRun.run(plan, crew);
        var outcome = judge(plan, seen);
        if (!outcome.holds()) {
            close();
        } else if (before != null && !seen.leftOver.isEmpty()) {
            before = LeftOvers.before(crew);
        }
        if (before != null && ++runs == SETTLING_RUNS) {
            settled = memory();
        }
        return outcome;
    }

    /** What service and Java hosts have in memory, in KiB. */
    private long memory() {
        return ProcessFacts.memory(crew.service().id())
                + ProcessFacts.memory(crew.javaHosts().id());
    }

    /** How much more memory these processes have than after their first runs; of few, nothing. */
    Optional<MemoryGrowth> growth() {
        return before == null || runs <= SETTLING_RUNS
                ? Optional.empty()
                : Optional.of(new MemoryGrowth(memory() - settled, runs - SETTLING_RUNS));
    }

    /** Starts what does not run, and has it load what it loads but once; what does not hold. */
    List<String> prepare() {
        crew.provide();
        var wrong = warm(crew);
        if (wrong.isEmpty()) {
            remember(LeftOvers.before(crew));
        } else {
            close();
        }
        return wrong;
    }

    /** Starts what does not run, for one run: what it loads but once is not told from a leak. */
    void begin() {
        crew.provide();
        remember(LeftOvers.beforeFirstRun(crew));
    }

    private void remember(LeftOvers now) {
        before = now;
        runs = 0;
        try {
            facts = ServiceFacts.before(crew);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        logs.news();
    }

    /** What has been logged since the last run. */
    List<String> news() {
        return logs.news();
    }

    private Outcome judge(RunPlan plan, Observation seen) {
        var begin = System.nanoTime();
        if (seen.gone.isEmpty() && seen.broken.isEmpty()) {
            findLeftOvers(seen);
            if (plan.run() % KILLED_EVERY == 0 && seen.leftOver.isEmpty()) {
                seen.broken.addAll(KilledWorker.find(crew, programs, Planner.ownWorker(plan)));
                findLeftOvers(seen);
            }
            seen.broken.addAll(facts.find(crew::resumeStopped));
        } else {
            awaitOrphans(seen); // those of a service that was killed
            before = null;
        }
        seen.history.add("%10.3f ms  to look for what is left over".formatted((System.nanoTime() - begin) / 1e6));
        seen.log.addAll(logs.news());
        seen.events.addAll(crew.faults().events());
        seen.events.removeAll(seen.staged);
        crew.faults().clear();
        seen.events.forEach(event -> seen.history.add(FaultEffects.text(event)));
        return new Outcome(
                plan,
                Checks.of(plan, seen),
                List.copyOf(seen.results.values()),
                Stream.concat(
                                seen.applied.stream()
                                        .map(applied -> applied.blow().kind()),
                                seen.events.stream().map(FaultEffects::kind))
                        .toList(),
                seen.history,
                seen.log,
                seen.took);
    }

    private void findLeftOvers(Observation seen) {
        seen.leftOver.addAll(before.find(
                crew::resumeStopped, () -> crew.faults().events().stream().anyMatch(FaultEffects::mayLeaveFiles)));
    }

    /** Workers whose service was killed leave by themselves. */
    private void awaitOrphans(Observation seen) {
        var end = System.nanoTime() + ORPHANS.toNanos();
        var left = new ArrayList<>(seen.workers);
        while (!left.isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(PAUSE_NANOS);
            left.removeIf(worker -> !ProcessFacts.lives(worker));
        }
        if (!left.isEmpty()) {
            seen.leftOver.add("workers whose service was killed: " + left);
            left.forEach(Signal.KILL::send);
        }
    }

    /** Ends all processes in good order; what did not end by itself is named. */
    List<String> end() {
        before = null;
        return crew.end();
    }

    /** Kills all processes. */
    @Override
    public void close() {
        before = null;
        crew.close();
    }
}

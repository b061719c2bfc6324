// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.runs.plan.Planner;
import dev.jurom.proof.runs.plan.RunPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Runs one after the other on one crew, which is kept as long as nothing is wrong with it. */
public final class Job implements AutoCloseable {

    private static final Duration ORPHANS = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 2_000_000;
    private static final long WARMING_SEED = 17;
    private static final int WARMING_RUNS = 3;
    /** After one run in so many, a worker is killed that has a child. */
    private static final int KILLED_EVERY = 10;

    private final Crew crew;
    private final Logs logs;
    private final Path programs;
    private LeftOvers before; // null when processes are new
    private ServiceFacts facts;

    /** Makes a job whose files are in a directory. */
    public Job(Path directory, Installation installation) {
        crew = new Crew(directory, installation, installation.archives()::using);
        logs = new Logs(directory);
        programs = installation.hosts().getParent();
    }

    /** Makes the archives of classes that all jobs use, if there are none yet. */
    public static void makeArchives(Path directory, Installation installation) throws IOException {
        var archives = installation.archives();
        if (archives.areCurrent(Crew.JAVA_PROGRAMS)) {
            return;
        }
        try (var crew = new Crew(directory, installation, archives::making)) {
            crew.provide();
            if (!warm(crew).isEmpty()) {
                return; // the runs will show it
            }
            crew.end();
        }
        archives.finish(Crew.JAVA_PROGRAMS);
    }

    /** Does a few runs without a fault; what does not hold in them. */
    private static List<String> warm(Crew crew) {
        var wrong = new ArrayList<String>();
        for (var i = 0; i < WARMING_RUNS && wrong.isEmpty(); i++) {
            var plan = Planner.draw(WARMING_SEED, 1 + i).withoutFaults();
            Checks.of(plan, LiveRun.run(plan, crew)).forEach(what ->
                    wrong.add("before, without any fault: " + what));
        }
        LeftOvers.awaitNoWorkers(crew);
        return wrong;
    }

    /** Where its files are. */
    public Path directory() {
        return crew.directory();
    }

    /** Carries a plan out and judges it. */
    public Outcome run(RunPlan plan) {
        var stubborn = plan.fresh() ? crew.end() : List.<String>of();
        if (plan.fresh() || before == null) {
            var wrong = prepare();
            if (!wrong.isEmpty()) {
                abandon();
                return new Outcome(plan, wrong, List.of(), List.of(), List.of(), logs.news(),
                        Duration.ZERO);
            }
        }
        var seen = LiveRun.run(plan, crew);
        var outcome = judge(plan, seen, stubborn);
        if (!outcome.holds()) {
            abandon();
        } else if (before != null && !seen.leftOver.isEmpty()) {
            before = LeftOvers.before(crew);
        }
        return outcome;
    }

    /** Starts what does not run, and has it load what it loads but once; what does not hold. */
    private List<String> prepare() {
        crew.provide();
        var wrong = warm(crew);
        if (!wrong.isEmpty()) {
            return wrong;
        }
        before = LeftOvers.before(crew);
        try {
            facts = ServiceFacts.before(crew);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        logs.news();
        return List.of();
    }

    private Outcome judge(RunPlan plan, Observation seen, List<String> stubborn) {
        stubborn.forEach(who -> seen.leftOver.add(who + ", which did not end when it was told to"));
        var begin = System.nanoTime();
        if (seen.gone.isEmpty() && seen.broken.isEmpty()) {
            findLeftOvers(seen);
            if (plan.run() % KILLED_EVERY == 0 && seen.leftOver.isEmpty()) {
                seen.broken.addAll(KilledWorker.find(crew, programs, Planner.ownWorker(plan)));
                findLeftOvers(seen);
            }
            seen.broken.addAll(facts.find());
        } else {
            awaitOrphans(seen); // those of a service that was killed
            before = null;
        }
        seen.history.add("%10.3f ms  to look for what is left over".formatted(
                (System.nanoTime() - begin) / 1e6));
        seen.log.addAll(logs.news());
        seen.events.addAll(crew.faults().events());
        seen.events.removeAll(seen.staged);
        crew.faults().clear();
        seen.events.forEach(event -> seen.history.add(FaultEffects.text(event)));
        return new Outcome(plan, Checks.of(plan, seen), List.copyOf(seen.results.values()),
                Stream.concat(seen.applied.stream().map(applied -> applied.blow().kind()),
                        seen.events.stream().map(FaultEffects::kind)).toList(),
                seen.history, seen.log, seen.took);
    }

    private void findLeftOvers(Observation seen) {
        seen.leftOver.addAll(before.find(this::resumeStopped, () ->
                crew.faults().events().stream().anyMatch(FaultEffects::mayLeaveFiles)));
    }

    /** Who was stopped by a fault after the hosts had ended. */
    private void resumeStopped() {
        crew.faults().events().stream().filter(event -> event.action() == FaultAction.STOP)
                .forEach(event -> Signal.CONT.send(event.process()));
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

    private void abandon() {
        crew.close();
        before = null;
    }

    /** Ends all processes in good order. */
    @Override
    public void close() {
        crew.end();
    }
}

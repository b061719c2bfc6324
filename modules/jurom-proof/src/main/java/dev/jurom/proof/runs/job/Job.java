// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.plan.RunPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Runs one after the other: on a rig that lasts as long as nothing is wrong with it, and now and
 * then on one that is there for a single run.
 */
public final class Job implements AutoCloseable {

    private final Rig lasting;
    private final Rig fresh;
    private Rig last;

    /** Makes a job whose files are in folders whose names begin with this. */
    public Job(Path directory, Installation installation) {
        lasting = new Rig(directory, installation);
        fresh = new Rig(directory.resolveSibling(directory.getFileName() + "-fresh"), installation);
        last = lasting;
    }

    /** Makes the archives of classes that all jobs use, if there are none yet. */
    public static void makeArchives(Path directory, Installation installation) throws IOException {
        var archives = installation.archives();
        if (archives.areCurrent(Crew.JAVA_PROGRAMS)) {
            return;
        }
        try (var crew = new Crew(directory, installation, archives::making)) {
            crew.provide();
            if (!Rig.warm(crew).isEmpty()) {
                return; // the runs will show it
            }
            crew.end();
        }
        archives.finish(Crew.JAVA_PROGRAMS);
    }

    /** Where the files of the last run are. */
    public Path directory() {
        return last.directory();
    }

    /** Carries a plan out and judges it. */
    public Outcome run(RunPlan plan) {
        last = plan.fresh() ? fresh : lasting;
        return plan.fresh() ? runAfresh(plan) : runOn(lasting, plan);
    }

    private static Outcome runOn(Rig rig, RunPlan plan) {
        if (!rig.isReady()) {
            var wrong = rig.prepare();
            if (!wrong.isEmpty()) {
                return new Outcome(plan, wrong, List.of(), List.of(), List.of(), rig.news(), Duration.ZERO);
            }
        }
        return rig.run(plan);
    }

    private Outcome runAfresh(RunPlan plan) {
        fresh.begin();
        var outcome = fresh.run(plan);
        var stubborn = fresh.end().stream()
                .map(who -> who + " did not end when it was told to")
                .toList();
        return stubborn.isEmpty() ? outcome : outcome.with(stubborn);
    }

    /** How the memory of the processes that last has grown, if they have lasted. */
    public Optional<MemoryGrowth> growth() {
        return lasting.growth();
    }

    /** Ends all processes in good order. */
    @Override
    public void close() {
        fresh.end();
        lasting.end();
    }
}

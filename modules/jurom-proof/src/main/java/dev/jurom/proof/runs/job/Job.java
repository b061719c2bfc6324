// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.plan.RunPlan;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Executes runs sequentially, most of them in an environment that is reused until a run fails, and some in a
 * new environment.
 */
public final class Job implements AutoCloseable {

    private final RunEnvironment kept;
    private final RunEnvironment fresh;
    private RunEnvironment last;

    /** Creates a job. The paths of its folders start with the given path. */
    public Job(Path directory, Installation installation) {
        kept = new RunEnvironment(directory, installation);
        fresh = new RunEnvironment(directory.resolveSibling(directory.getFileName() + "-fresh"), installation);
        last = kept;
    }

    /** Returns the folder with the files of the last run. */
    public Path directory() {
        return last.directory();
    }

    /** Executes a plan and checks the result. */
    public Outcome run(RunPlan plan) {
        last = plan.fresh() ? fresh : kept;
        return plan.fresh() ? runInNewEnvironment(plan) : runOn(kept, plan);
    }

    private static Outcome runOn(RunEnvironment environment, RunPlan plan) {
        if (!environment.isReady()) {
            environment.prepare();
        }
        return environment.run(plan);
    }

    private Outcome runInNewEnvironment(RunPlan plan) {
        fresh.begin();
        var outcome = fresh.run(plan);
        var killed = fresh.terminate().stream()
                .map(name -> name + " did not exit when terminated")
                .toList();
        return killed.isEmpty() ? outcome : outcome.with(killed);
    }

    /** Returns the memory growth of the kept processes, if they ran long enough. */
    public Optional<MemoryGrowth> growth() {
        return kept.growth();
    }

    /** Terminates all processes. */
    @Override
    public void close() {
        fresh.terminate();
        kept.terminate();
    }
}

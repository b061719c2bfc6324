// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs;

import dev.jurom.proof.runs.job.Job;
import dev.jurom.proof.runs.plan.RunPlan;
import java.time.Duration;

/** Looks for the fewest faults with which a run still fails: each is left out once. */
final class Shrinking {

    /** How often a plan is tried: what depends on time does not fail each time. */
    static final int ATTEMPTS = 5;

    private static final Duration LONGEST = Duration.ofSeconds(100);

    private final long end = System.nanoTime() + LONGEST.toNanos();
    private final Job job;
    private final boolean repeats;
    private RunPlan smallest;

    Shrinking(RunPlan plan, Job job) {
        this.job = job;
        smallest = plan;
        repeats = fails(plan);
        if (repeats) {
            shrink();
        }
    }

    private void shrink() {
        for (var fault = smallest.schedule().size() - 1; fault >= 0; fault--) {
            var less = smallest.without(fault);
            if (fails(less)) {
                smallest = less;
            }
        }
    }

    private boolean fails(RunPlan plan) {
        for (var i = 0; i < ATTEMPTS && System.nanoTime() < end; i++) {
            if (!job.run(plan).holds()) {
                return true;
            }
        }
        return false;
    }

    /** Whether it failed again. */
    boolean repeats() {
        return repeats;
    }

    /** The smallest plan that failed. */
    RunPlan smallest() {
        return smallest;
    }
}

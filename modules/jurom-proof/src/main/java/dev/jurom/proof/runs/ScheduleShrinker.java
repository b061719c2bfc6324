// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs;

import dev.jurom.proof.runs.job.Job;
import dev.jurom.proof.runs.plan.RunPlan;
import java.time.Duration;

/** Reduces the faults of a failed run by omitting each of them once. */
final class ScheduleShrinker {

    /** Attempts per plan, since failures that depend on timing do not occur every time. */
    static final int ATTEMPTS = 5;

    private static final Duration LONGEST = Duration.ofSeconds(100);

    private final long end = System.nanoTime() + LONGEST.toNanos();
    private final Job job;
    private final boolean repeats;
    private RunPlan smallest;

    ScheduleShrinker(RunPlan plan, Job job) {
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
            if (!job.run(plan).passes()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the failure was reproduced. */
    boolean repeats() {
        return repeats;
    }

    /** Returns the smallest plan that failed. */
    RunPlan smallest() {
        return smallest;
    }
}

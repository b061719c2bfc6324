// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.RunPlan;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What came of a run.
 *
 * @param plan what was to happen
 * @param violations what does not hold
 * @param results of the hosts that lived to tell
 * @param applied the signals that were sent
 * @param history what happened, in order
 * @param log what processes wrote
 * @param took how long the hosts worked
 */
public record Outcome(
        RunPlan plan,
        List<String> violations,
        List<HostResult> results,
        List<String> applied,
        List<String> history,
        List<String> log,
        Duration took) {

    /** The same, and what else does not hold. */
    Outcome with(List<String> more) {
        return new Outcome(
                plan, Stream.concat(violations.stream(), more.stream()).toList(), results, applied, history, log, took);
    }

    /** Whether all holds. */
    public boolean holds() {
        return violations.isEmpty();
    }
}

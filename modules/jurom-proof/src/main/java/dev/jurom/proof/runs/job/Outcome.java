// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.plan.RunPlan;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The outcome of a run.
 *
 * @param plan the plan
 * @param violations the violations
 * @param results the results of the hosts that reported one
 * @param applied the injected signals and faults
 * @param explained the errors of hosts with a known cause
 * @param history the events in order
 * @param log the log lines
 * @param took the running time of the hosts
 */
public record Outcome(
        RunPlan plan,
        List<String> violations,
        List<HostResult> results,
        List<String> applied,
        List<ExplainedError> explained,
        List<String> history,
        List<String> log,
        Duration took) {

    /** Returns a copy of this outcome with further violations. */
    Outcome with(List<String> more) {
        return new Outcome(
                plan,
                Stream.concat(violations.stream(), more.stream()).toList(),
                results,
                applied,
                explained,
                history,
                log,
                took);
    }

    /** Returns whether the run has no violations. */
    public boolean passes() {
        return violations.isEmpty();
    }
}

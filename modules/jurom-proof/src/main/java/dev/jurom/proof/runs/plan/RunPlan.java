// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import dev.jurom.proof.faults.Fault;
import java.util.List;
import java.util.stream.Stream;

/**
 * The plan of a run, drawn before it starts.
 *
 * @param seed the seed of all runs
 * @param run the number of the run
 * @param fresh whether a new service and new Java hosts are started for this run
 * @param hosts the plans of the hosts
 * @param signals the signals to send
 * @param faults the faults, at most one per point
 */
public record RunPlan(
        long seed, int run, boolean fresh, List<HostPlan> hosts, List<PlannedSignal> signals, List<Fault> faults) {

    /** Creates an immutable plan. */
    public RunPlan {
        hosts = List.copyOf(hosts);
        signals = List.copyOf(signals);
        faults = List.copyOf(faults);
    }

    /** Returns the command that repeats the run. */
    public String command() {
        return "scripts/urom faults --seed " + seed + " --run " + run;
    }

    /** Returns the signals and faults, one per line. */
    public List<String> schedule() {
        return Stream.concat(signals.stream(), faults.stream())
                .map(Object::toString)
                .toList();
    }

    /** Returns the hosts that form a domain, if any. */
    public List<HostPlan> members() {
        return hosts.stream().filter(host -> host.domain().isPresent()).toList();
    }

    /** Returns a copy of this plan without signals and faults. */
    public RunPlan withoutFaults() {
        return new RunPlan(seed, run, false, hosts, List.of(), List.of());
    }
}

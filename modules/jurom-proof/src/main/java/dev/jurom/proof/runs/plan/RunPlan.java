// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * All that is drawn for a run before it begins.
 *
 * @param seed of all runs
 * @param run which of them
 * @param fresh whether the service and the Java hosts are started anew for it
 * @param hosts what they do
 * @param blows the signals that processes get
 */
public record RunPlan(long seed, int run, boolean fresh, List<HostPlan> hosts, List<Blow> blows) {

    /** A plan that nothing changes. */
    public RunPlan {
        hosts = List.copyOf(hosts);
        blows = List.copyOf(blows);
    }

    /** What repeats it. */
    public String command() {
        return "scripts/urom faults --seed " + seed + " --run " + run;
    }

    /** The faults, one a line. */
    public List<String> schedule() {
        return blows.stream().map(Blow::toString).toList();
    }

    /** The same plan without any fault. */
    public RunPlan withoutFaults() {
        return new RunPlan(seed, run, false, hosts, List.of());
    }

    /** The same plan without one of its faults. */
    public RunPlan without(int fault) {
        var left = new ArrayList<>(blows);
        left.remove(fault);
        return new RunPlan(seed, run, fresh, hosts, left);
    }
}

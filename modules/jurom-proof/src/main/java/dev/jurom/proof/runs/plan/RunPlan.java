// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import dev.jurom.proof.faults.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * All that is drawn for a run before it begins.
 *
 * @param seed of all runs
 * @param run which of them
 * @param fresh whether it has a service and Java hosts of its own, which are started for it
 * @param hosts what they do
 * @param blows the signals that processes get
 * @param faults what happens at fault points; one at each
 */
public record RunPlan(long seed, int run, boolean fresh, List<HostPlan> hosts, List<Blow> blows, List<Fault> faults) {

    /** A plan that nothing changes. */
    public RunPlan {
        hosts = List.copyOf(hosts);
        blows = List.copyOf(blows);
        faults = List.copyOf(faults);
    }

    /** What repeats it. */
    public String command() {
        return "scripts/urom faults --seed " + seed + " --run " + run;
    }

    /** The faults, one a line. */
    public List<String> schedule() {
        return Stream.concat(blows.stream(), faults.stream())
                .map(Object::toString)
                .toList();
    }

    /** The hosts that form a domain; mostly none. */
    public List<HostPlan> members() {
        return hosts.stream().filter(host -> host.domain().isPresent()).toList();
    }

    /** The same plan without any fault. */
    public RunPlan withoutFaults() {
        return new RunPlan(seed, run, false, hosts, List.of(), List.of());
    }

    /** The same plan without one of its faults. */
    public RunPlan without(int fault) {
        if (fault < blows.size()) {
            return new RunPlan(seed, run, fresh, hosts, all(blows, fault), faults);
        }
        return new RunPlan(seed, run, fresh, hosts, blows, all(faults, fault - blows.size()));
    }

    private static <T> List<T> all(List<T> list, int but) {
        var left = new ArrayList<>(list);
        left.remove(but);
        return left;
    }
}

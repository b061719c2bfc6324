// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one host does in a run.
 *
 * @param run the run
 * @param number of the host in its run
 * @param kind what kind of program it is
 * @param seed what its commands are drawn from
 * @param patience how long it waits without any news before it gives up
 * @param ending how it leaves
 * @param workers what it starts or shares
 * @param domain its part in the domain of the run, if it is a member
 */
public record HostPlan(
        int run,
        int number,
        HostKind kind,
        long seed,
        Duration patience,
        Ending ending,
        List<WorkerPlan> workers,
        Optional<DomainPlan> domain) {

    /** A plan that nothing changes. */
    public HostPlan {
        workers = List.copyOf(workers);
    }

    /** A host that is in no domain. */
    public HostPlan(
            int run, int number, HostKind kind, long seed, Duration patience, Ending ending, List<WorkerPlan> workers) {
        this(run, number, kind, seed, patience, ending, workers, Optional.empty());
    }

    /** The same host, more or less patient. */
    public HostPlan withPatience(Duration other) {
        return new HostPlan(run, number, kind, seed, other, ending, workers, domain);
    }

    /** The same host as a member of a domain, which it does not leave without a word. */
    HostPlan in(DomainPlan joined) {
        return new HostPlan(run, number, kind, seed, patience, Ending.ORDERLY, workers, Optional.of(joined));
    }

    /** The line that tells a process of hosts about it. */
    public String line() {
        return "host run=%d number=%d kind=%s seed=%s patience=%d ending=%s workers=%s"
                        .formatted(
                                run,
                                number,
                                kind,
                                Long.toUnsignedString(seed),
                                patience.toMillis(),
                                ending,
                                workers.stream().map(WorkerPlan::text).collect(Collectors.joining(",")))
                + domain.map(member -> " domain=" + member.text()).orElse("");
    }

    /** Reads such a line. */
    public static HostPlan parse(String line) {
        var words = Words.parse(line);
        return new HostPlan(
                words.number("run"),
                words.number("number"),
                HostKind.valueOf(words.text("kind")),
                Long.parseUnsignedLong(words.text("seed")),
                Duration.ofMillis(words.number("patience")),
                Ending.valueOf(words.text("ending")),
                Stream.of(words.text("workers").split(","))
                        .map(WorkerPlan::parse)
                        .toList(),
                Optional.ofNullable(words.values().get("domain")).map(DomainPlan::parse));
    }

    /** How many commands it gives. */
    public int commands() {
        return workers.stream().mapToInt(WorkerPlan::commands).sum()
                + domain.map(DomainPlan::commands).orElse(0);
    }
}

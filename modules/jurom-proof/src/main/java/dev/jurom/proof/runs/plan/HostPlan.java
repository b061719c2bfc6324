// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The plan of a host in a run.
 *
 * @param run the number of the run
 * @param number the number of the host in the run
 * @param kind the kind of program that implements the host
 * @param seed the seed of its commands
 * @param timeout the maximum time without progress, after which the host stops
 * @param ending the way in which the host ends
 * @param workers the workers that it starts or shares
 * @param domain the membership of the host in the domain of the run, if any
 */
public record HostPlan(
        int run,
        int number,
        HostKind kind,
        long seed,
        Duration timeout,
        Ending ending,
        List<WorkerPlan> workers,
        Optional<DomainPlan> domain) {

    private static final int WRITING_EVERY = 4; // one facade host in four

    /** Creates an immutable plan. */
    public HostPlan {
        workers = List.copyOf(workers);
    }

    /** Creates a host without a domain. */
    public HostPlan(
            int run, int number, HostKind kind, long seed, Duration timeout, Ending ending, List<WorkerPlan> workers) {
        this(run, number, kind, seed, timeout, ending, workers, Optional.empty());
    }

    /** Returns a copy of this host with another timeout. */
    public HostPlan withTimeout(Duration other) {
        return new HostPlan(run, number, kind, seed, other, ending, workers, domain);
    }

    /** Returns a copy of this host that connects by TLS. */
    HostPlan remote() {
        return new HostPlan(run, number, HostKind.REMOTE, seed, timeout, ending, workers, domain);
    }

    /** Returns a copy of this host that uses the facade and is a member of a domain. Members never end abruptly. */
    HostPlan in(DomainPlan joined) {
        return new HostPlan(run, number, HostKind.FACADE, seed, timeout, Ending.ORDERLY, workers, Optional.of(joined));
    }

    /** Formats the line for the host process. */
    public String line() {
        return "host run=%d number=%d kind=%s seed=%s timeout=%d ending=%s workers=%s"
                        .formatted(
                                run,
                                number,
                                kind,
                                Long.toUnsignedString(seed),
                                timeout.toMillis(),
                                ending,
                                workers.stream().map(WorkerPlan::text).collect(Collectors.joining(",")))
                + domain.map(member -> " domain=" + member.text()).orElse("");
    }

    /** Parses a line that {@link #line} has formatted. */
    public static HostPlan parse(String line) {
        var words = KeyValueLine.parse(line);
        return new HostPlan(
                words.number("run"),
                words.number("number"),
                HostKind.valueOf(words.text("kind")),
                Long.parseUnsignedLong(words.text("seed")),
                Duration.ofMillis(words.number("timeout")),
                Ending.valueOf(words.text("ending")),
                Stream.of(words.text("workers").split(","))
                        .map(WorkerPlan::parse)
                        .toList(),
                Optional.ofNullable(words.values().get("domain")).map(DomainPlan::parse));
    }

    /** Returns whether the host also writes to its memory through {@code worker_rdmo}. */
    public boolean writesToMemory() {
        return kind == HostKind.FACADE && Math.floorMod(seed >>> 8, WRITING_EVERY) == 0;
    }

    /** Returns the number of commands. */
    public int commands() {
        return workers.stream().mapToInt(WorkerPlan::commands).sum()
                + domain.map(DomainPlan::commands).orElse(0);
    }
}

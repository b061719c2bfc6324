// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs;

import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.job.MemoryGrowth;
import dev.jurom.proof.runs.job.Outcome;
import dev.jurom.proof.runs.plan.HostKind;
import dev.jurom.proof.runs.plan.HostPlan;
import dev.jurom.proof.runs.plan.Planner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The results of all runs. This class is thread-safe. */
final class Tally {

    private static final int MAX_LISTED = 40;
    private static final long MAX_GROWTH = 32 << 10; // KiB, the sum of the heaps of two JVMs
    private static final String AT = " at "; // separates an action from its point

    private final long begin = System.nanoTime();
    private final Map<String, Integer> faults = new TreeMap<>();
    private final Map<String, List<Long>> detections = new TreeMap<>(); // nanoseconds, by cause
    private final List<Long> times = new ArrayList<>();
    private final List<MemoryGrowth> growths = new ArrayList<>();
    private final Set<Path> names = new TreeSet<>(); // left in shared folders
    private long runs;
    private final List<HostPlan> hosts = new ArrayList<>();
    private long domains;
    private long members;
    private long completeMembers; // members that received all messages of a running domain
    private long submitted;
    private long answered;
    private long failed;
    private long lost;
    private long duplicated;
    private long wrong;
    private long timedOut;
    private long hangs;
    private long leftOvers;
    private long violated;

    synchronized void add(Outcome outcome) {
        runs++;
        hosts.addAll(outcome.plan().hosts());
        times.add(outcome.took().toNanos());
        outcome.applied().forEach(fault -> faults.merge(fault, 1, Integer::sum));
        outcome.results().forEach(this::add);
        outcome.explained()
                .forEach(error -> detections
                        .computeIfAbsent(error.cause(), cause -> new ArrayList<>())
                        .add(error.nanoseconds()));
        addDomain(outcome);
        violated += outcome.passes() ? 0 : 1;
        leftOvers += outcome.violations().stream()
                .filter(violation -> violation.startsWith("left over"))
                .count();
    }

    private void addDomain(Outcome outcome) {
        var all = outcome.plan().members();
        domains += all.isEmpty() ? 0 : 1;
        members += all.size();
        completeMembers += all.stream()
                .filter(host -> outcome.results().stream()
                        .anyMatch(result -> result.number() == host.number() && result.answered() == host.commands()))
                .count();
    }

    private void add(HostResult result) {
        submitted += result.submitted();
        answered += result.answered();
        failed += result.failed();
        lost += result.abrupt() ? 0 : result.lost();
        duplicated += result.duplicated();
        wrong += result.wrong();
        timedOut += result.late() ? 1 : 0;
        hangs += result.idle() ? 0 : 1;
    }

    synchronized void add(MemoryGrowth growth) {
        growths.add(growth);
    }

    /** Adds the names that the runs left in shared folders. */
    synchronized void add(Set<Path> left) {
        names.addAll(left);
    }

    /** Returns whether the runs caused no violations, left no names and caused no significant memory growth. */
    synchronized boolean passes() {
        return violated == 0
                && names.isEmpty()
                && growths.stream().allMatch(growth -> growth.kibibytes() <= MAX_GROWTH);
    }

    /** Returns the lines of the report. */
    synchronized List<String> lines() {
        var seconds = (System.nanoTime() - begin) / 1e9;
        var sorted = times.stream().sorted().toList();
        var lines = new ArrayList<String>();
        lines.add(text(
                "%d runs of %d hosts in %.1f s, %.1f runs per second; time of the hosts: p50 %.1f ms, p99 %.1f ms",
                runs,
                hosts.size(),
                seconds,
                runs / seconds,
                sorted.get(sorted.size() / 2) / 1e6,
                sorted.get((int) (sorted.size() * 0.99)) / 1e6));
        lines.add(text(
                "hosts: %d in C, %d in C over TLS, %d through the facade, of which %d write by RDMO",
                count(host -> host.kind() == HostKind.C),
                count(host -> host.kind() == HostKind.REMOTE),
                count(host -> host.kind() == HostKind.FACADE),
                count(HostPlan::writesToMemory)));
        lines.addAll(faultLines());
        var never = Planner.points().stream()
                .filter(point -> faults.keySet().stream().noneMatch(fault -> fault.endsWith(AT + point)))
                .toList();
        lines.add(text(
                "fault points without a fault: %d of %d%s",
                never.size(),
                Planner.points().size(),
                never.isEmpty() || never.size() > MAX_LISTED ? "" : ": " + String.join(", ", never)));
        lines.add(text(
                "commands: %d submitted, %d answered, %d failed with a cause, others ended with their hosts; %d"
                        + " hosts timed out with a cause",
                submitted, answered, failed, timedOut));
        detections.forEach((cause, nanoseconds) -> lines.add(detectionLine(cause, nanoseconds)));
        lines.add(text("%d domains of %d hosts, of which %d received all answers", domains, members, completeMembers));
        growths.stream()
                .max(Comparator.comparing(MemoryGrowth::kibibytes))
                .ifPresent(most -> lines.add(text(
                        "maximum memory growth of a service and its Java hosts after warm-up: %+d KiB in %d runs",
                        most.kibibytes(), most.runs())));
        lines.add("names left in /dev/shm, the temporary folder and the runtime directory: "
                + (names.isEmpty() ? "none" : names));
        lines.add(text(
                "%d lost, %d duplicated, %d wrong answers, %d hangs, %d leftovers; %d failed runs",
                lost, duplicated, wrong, hangs, leftOvers, violated));
        return lines;
    }

    private long count(Predicate<HostPlan> kind) {
        return hosts.stream().filter(kind).count();
    }

    private static String detectionLine(String cause, List<Long> nanoseconds) {
        var sorted = nanoseconds.stream().sorted().toList();
        return text(
                "errors after %-24s %,7d, p50 %.1f ms, p99 %.1f ms, last %.1f ms",
                cause,
                sorted.size(),
                sorted.get(sorted.size() / 2) / 1e6,
                sorted.get((int) (sorted.size() * 0.99)) / 1e6,
                sorted.getLast() / 1e6);
    }

    /** Returns a line for each action, with the sum over all fault points. */
    private List<String> faultLines() {
        var counts = new TreeMap<String, Integer>();
        var pointCounts = new TreeMap<String, Integer>();
        faults.forEach((fault, times) -> {
            var at = fault.indexOf(AT);
            var action = at < 0 ? fault : fault.substring(0, at);
            counts.merge(action, times, Integer::sum);
            pointCounts.merge(action, at < 0 ? 0 : 1, Integer::sum);
        });
        return counts.entrySet().stream()
                .map(action -> {
                    var points = pointCounts.get(action.getKey());
                    return text(
                            "%-16s %,7d times%s",
                            action.getKey(), action.getValue(), points == 0 ? "" : text(" at %d points", points));
                })
                .toList();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

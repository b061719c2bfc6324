// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs;

import dev.jurom.proof.runs.host.HostResult;
import dev.jurom.proof.runs.job.MemoryGrowth;
import dev.jurom.proof.runs.job.Outcome;
import dev.jurom.proof.runs.plan.Planner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What all runs together have shown. Any thread may add to it. */
final class Tally {

    private static final int MOST_LISTED = 40;
    private static final long MOST_GROWTH = 32 << 10; // KiB, of two JVMs: their heaps are as large
    private static final String AT = " at "; // between an action and its point

    private final long begin = System.nanoTime();
    private final Map<String, Integer> faults = new TreeMap<>();
    private final List<Long> times = new ArrayList<>();
    private final List<MemoryGrowth> growths = new ArrayList<>();
    private long runs;
    private long hosts;
    private long domains;
    private long members;
    private long wholeMembers; // whose domain came to run, and who had all messages
    private long submitted;
    private long answered;
    private long failed;
    private long lost;
    private long duplicated;
    private long wrong;
    private long givenUp;
    private long hangs;
    private long leftOvers;
    private long violated;

    synchronized void add(Outcome outcome) {
        runs++;
        hosts += outcome.plan().hosts().size();
        times.add(outcome.took().toNanos());
        outcome.applied().forEach(what -> faults.merge(what, 1, Integer::sum));
        outcome.results().forEach(this::add);
        addDomain(outcome);
        violated += outcome.holds() ? 0 : 1;
        leftOvers += outcome.violations().stream()
                .filter(what -> what.startsWith("left over"))
                .count();
    }

    private void addDomain(Outcome outcome) {
        var all = outcome.plan().members();
        domains += all.isEmpty() ? 0 : 1;
        members += all.size();
        wholeMembers += all.stream()
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
        givenUp += result.late() ? 1 : 0;
        hangs += result.idle() ? 0 : 1;
    }

    synchronized void add(MemoryGrowth growth) {
        growths.add(growth);
    }

    /** Whether nothing was violated, and no process that lasted has a leak that would matter. */
    synchronized boolean holds() {
        return violated == 0 && growths.stream().allMatch(growth -> growth.kibibytes() <= MOST_GROWTH);
    }

    /** The lines that tell of it. */
    synchronized List<String> lines() {
        var seconds = (System.nanoTime() - begin) / 1e9;
        var sorted = times.stream().sorted().toList();
        var lines = new ArrayList<String>();
        lines.add(text(
                "%d runs of %d hosts in %.1f s, %.1f a second; hosts worked for %.1f ms"
                        + " (half), %.1f ms (99 of 100)",
                runs,
                hosts,
                seconds,
                runs / seconds,
                sorted.get(sorted.size() / 2) / 1e6,
                sorted.get((int) (sorted.size() * 0.99)) / 1e6));
        lines.addAll(faultLines());
        var never = Planner.points().stream()
                .filter(point -> faults.keySet().stream().noneMatch(what -> what.endsWith(AT + point)))
                .toList();
        lines.add(text(
                "points at which nothing happened: %d of %d%s",
                never.size(),
                Planner.points().size(),
                never.isEmpty() || never.size() > MOST_LISTED ? "" : ": " + String.join(", ", never)));
        lines.add(text(
                "commands: %d submitted, %d answered, %d failed with a cause, others died"
                        + " with their hosts; %d hosts gave up with a cause",
                submitted, answered, failed, givenUp));
        lines.add(text(
                "%d domains of %d hosts, of which %d had an answer to all they asked", domains, members, wholeMembers));
        growths.stream()
                .max(Comparator.comparing(MemoryGrowth::kibibytes))
                .ifPresent(most -> lines.add(text(
                        "memory of a service and its Java hosts, once settled: %+d KiB in %d" + " runs, at most",
                        most.kibibytes(), most.runs())));
        lines.add(text(
                "%d lost, %d duplicated, %d wrong answers, %d hangs, %d leftovers;"
                        + " %d runs in which something did not hold",
                lost, duplicated, wrong, hangs, leftOvers, violated));
        return lines;
    }

    /** A line for each action; those at fault points are counted together. */
    private List<String> faultLines() {
        var happened = new TreeMap<String, Integer>();
        var places = new TreeMap<String, Integer>();
        faults.forEach((what, times) -> {
            var at = what.indexOf(AT);
            var action = at < 0 ? what : what.substring(0, at);
            happened.merge(action, times, Integer::sum);
            places.merge(action, at < 0 ? 0 : 1, Integer::sum);
        });
        return happened.entrySet().stream()
                .map(action -> {
                    var points = places.get(action.getKey());
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

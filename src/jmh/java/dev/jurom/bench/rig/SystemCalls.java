// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How many system calls a command makes, on the host's side and on the worker's: those of a long
 * round less those of a short one, so that what a round costs by itself falls out. Both are medians
 * of several rounds: a side that waits for one that is not running yields, and that is the
 * machine's doing.
 */
final class SystemCalls {

    private static final int REPETITIONS = 9;
    private static final double WITH_WARM_UP = 1.1; // a round's operations, for each that counts
    private static final double WORTH_NAMING = 1e-4; // of a call per command

    private SystemCalls() {}

    /** Adds two rows, for the two sides of a host of a service that has no other. */
    static void measure(Subject subject, Services services, int commands, Table table) {
        try (var contestant = services.start(subject)) {
            contestant.warmUp();
            var worker = services.of(subject.service().orElseThrow());
            for (var side : List.of(new Side("host", contestant.pid()), new Side("worker", worker.onlyWorker()))) {
                var few = count(contestant, side.pid, commands / 10);
                var many = count(contestant, side.pid, commands / 10 + commands);
                var carriedOut = commands * WITH_WARM_UP;
                var each = new HashMap<String, Double>();
                many.forEach((name, count) -> each.put(name, (count - few.getOrDefault(name, 0.0)) / carriedOut));
                table.row(subject.name(), side.name, String.format(Locale.ROOT, "%.4f", total(each)), names(each));
            }
        }
    }

    private record Side(String name, long pid) {}

    private static Map<String, Double> count(Contestant contestant, long pid, int commands) {
        var rounds = Stream.generate(() -> countOnce(contestant, pid, commands))
                .limit(REPETITIONS)
                .toList();
        return rounds.stream()
                .flatMap(round -> round.keySet().stream())
                .distinct()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> Spread.of(rounds.stream()
                                        .map(round -> (double) round.getOrDefault(name, 0L))
                                        .toList())
                                .median()));
    }

    private static Map<String, Long> countOnce(Contestant contestant, long pid, int commands) {
        var strace = Strace.attach(pid);
        try {
            contestant.round(commands);
        } finally {
            strace.detach();
        }
        return strace.counts();
    }

    private static double total(Map<String, Double> each) {
        return Math.max(
                0, each.values().stream().mapToDouble(Double::doubleValue).sum());
    }

    private static String names(Map<String, Double> each) {
        return each.entrySet().stream()
                .filter(call -> call.getValue() >= WORTH_NAMING)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(4)
                .map(call -> String.format(Locale.ROOT, "%s %.4f", call.getKey(), call.getValue()))
                .collect(Collectors.joining(", "));
    }
}

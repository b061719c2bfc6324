// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts the system calls per command of the host and the worker: those of a long round minus those of a
 * short one, to eliminate the calls of the round itself. Both are medians of several rounds, since a side
 * yields while its peer is not running.
 */
final class SystemCalls {

    private static final int REPETITIONS = 9;
    private static final double WITH_WARM_UP = 1.1; // operations per measured operation of a round
    private static final double WORTH_NAMING = 1e-4; // calls per command

    private SystemCalls() {}

    /** Adds a row for the host and one for the worker, for the only host of a service. */
    static void measure(Subject subject, Services services, int commands, Table table) {
        try (var process = services.start(subject)) {
            process.warmUp();
            var worker = services.of(subject.service().orElseThrow());
            for (var side : List.of(new Side("host", process.pid()), new Side("worker", worker.onlyWorker()))) {
                var few = count(process, side.pid, commands / 10);
                var many = count(process, side.pid, commands / 10 + commands);
                var executed = commands * WITH_WARM_UP;
                var each = new HashMap<String, Double>();
                many.forEach((name, count) -> each.put(name, (count - few.getOrDefault(name, 0.0)) / executed));
                table.row(subject.name(), side.name, String.format(Locale.ROOT, "%.4f", total(each)), names(each));
            }
        }
    }

    private record Side(String name, long pid) {}

    private static Map<String, Double> count(SubjectProcess process, long pid, int commands) {
        var rounds = Stream.generate(() -> countOnce(process, pid, commands))
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

    private static Map<String, Long> countOnce(SubjectProcess process, long pid, int commands) {
        var strace = Strace.attach(pid);
        try {
            process.round(commands);
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

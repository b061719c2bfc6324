// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs all JMH benchmarks, a little shorter than they do by themselves. */
final class Microbenchmarks {

    private static final String PACKAGE = "dev.jurom.bench.jmh.";
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private Microbenchmarks() {
    }

    /** The results as a table, and how far apart the cores were; what JMH says goes to a file. */
    static String measure(Path log) {
        var options = new OptionsBuilder().include(PACKAGE.replace(".", "\\.") + ".*")
                .addProfiler(GCProfiler.class).output(log.toString()).shouldFailOnError(true)
                .warmupIterations(2).measurementIterations(3).build();
        try (var watch = new CoreWatch()) {
            watch.look();
            var table = table(new Runner(options).run());
            watch.look();
            return table + "\n" + watch.summary() + "\n";
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH failed: " + log + " says why", e);
        }
    }

    private static Table table(Collection<RunResult> results) {
        var table = new Table("benchmark", "with", "time an operation", "± (99.9 %)",
                "allocated an operation");
        for (var result : results) {
            var parameters = result.getParams();
            var score = result.getPrimaryResult();
            table.row(parameters.getBenchmark().replace(PACKAGE, "").replace("Benchmark", ""),
                    parameters.getParamsKeys().stream()
                            .map(key -> key + " " + parameters.getParam(key))
                            .collect(Collectors.joining(", ")),
                    Figures.time(nanoseconds(score.getScore(), score)),
                    Figures.time(nanoseconds(score.getScoreError(), score)),
                    Figures.number(result.getSecondaryResults().get(ALLOCATION).getScore())
                            + " B");
        }
        return table;
    }

    /** The benchmarks give times in units of their own. */
    private static double nanoseconds(double time, Result<?> result) {
        return switch (result.getScoreUnit()) {
            case "ns/op" -> time;
            case "us/op" -> time * 1e3;
            case "ms/op" -> time * 1e6;
            default -> throw new IllegalStateException("No time: " + result.getScoreUnit());
        };
    }
}

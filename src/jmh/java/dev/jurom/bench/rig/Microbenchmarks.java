// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.file.Path;
import java.util.Collection;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs JMH benchmarks over shared memory with short iterations. The ratios cover other transports.
 */
final class Microbenchmarks {

    private static final String PACKAGE = "dev.jurom.bench.jmh.";
    private static final Path LOG = Page.source("target/bench/jmh.log");
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    private Microbenchmarks() {}

    /**
     * Runs the benchmarks with a name that contains the pattern. Returns a table and the cache domain. The results as
     * JSON and the output of JMH are written to files.
     */
    static String measure(String pattern, boolean quick, Path results) {
        var iteration = quick ? TimeValue.milliseconds(200) : TimeValue.seconds(1);
        var options = new OptionsBuilder()
                .include(PACKAGE.replace(".", "\\.") + ".*(?:" + pattern + ")")
                .param("transport", Transport.SHARED_MEMORY.name())
                .addProfiler(GCProfiler.class)
                .output(LOG.toString())
                .resultFormat(ResultFormatType.JSON)
                .result(results.toString())
                .shouldFailOnError(true)
                .warmupIterations(2)
                .warmupTime(iteration)
                .measurementIterations(3)
                .measurementTime(iteration)
                .build();
        try (var probe = new CacheDomainProbe()) {
            probe.measure();
            var table = table(new Runner(options).run());
            probe.measure();
            return table + "\n" + probe.summary() + "\n";
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH failed: see " + LOG, e);
        }
    }

    private static Table table(Collection<RunResult> results) {
        var table = new Table("benchmark", "with", "time per operation", "± (99.9 %)", "allocated per operation");
        for (var result : results) {
            var parameters = result.getParams();
            var score = result.getPrimaryResult();
            table.row(
                    parameters.getBenchmark().replace(PACKAGE, "").replace("Benchmark", ""),
                    parameters.getParamsKeys().stream()
                            .map(key -> key + " " + parameters.getParam(key))
                            .collect(Collectors.joining(", ")),
                    Figures.time(nanoseconds(score.getScore(), score)),
                    Figures.time(nanoseconds(score.getScoreError(), score)),
                    Figures.number(result.getSecondaryResults().get(ALLOCATION).getScore()) + " B");
        }
        return table;
    }

    /** Converts a time from the unit of its benchmark. */
    private static double nanoseconds(double time, Result<?> result) {
        return switch (result.getScoreUnit()) {
            case "ns/op" -> time;
            case "us/op" -> time * 1e3;
            case "ms/op" -> time * 1e6;
            default -> throw new IllegalStateException("unexpected unit " + result.getScoreUnit());
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.ping;

import dev.jurom.cli.shell.Json;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.RawResults;
import dev.jurom.cli.shell.Version;
import dev.jurom.runtime.DocaRuntime;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Prints a line for each answer, and a summary. This class is not thread-safe. */
final class PingReport {

    private static final long LONGEST_NANOS = 86_400_000_000_000L; // one day: the maximum timeout
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double P50 = 50;
    private static final double P99 = 99;

    private final Output output;
    private final boolean quiet;
    private final String worker;
    private final int size;
    private final Histogram times = new Histogram(LONGEST_NANOS, DIGITS);
    private final long start = System.nanoTime();
    private final long startMillis = System.currentTimeMillis();
    private long sent;
    private double seconds;
    private long shortest = Long.MAX_VALUE; // exact, since the histogram has only three digits
    private long longest;

    PingReport(Output output, boolean quiet, String worker, int size) {
        this.output = output;
        this.quiet = quiet;
        this.worker = worker;
        this.size = size;
    }

    void sent() {
        sent++;
    }

    void answered(long number, long nanos) {
        times.recordValue(nanos);
        shortest = Math.min(shortest, nanos);
        longest = Math.max(longest, nanos);
        if (quiet) {
            return;
        }
        if (output.isJson()) {
            var values = new LinkedHashMap<String, Object>();
            values.put("command", number);
            values.put("bytes", size);
            values.put("time_ns", nanos);
            System.out.println(Json.of(values));
        } else {
            System.out.println(
                    size + " bytes from " + worker + ": command=" + number + " time=" + micros(nanos) + " us");
        }
    }

    /** Returns whether the output is still read; the reader of a pipe may have exited. */
    boolean isRead() {
        return quiet || !System.out.checkError();
    }

    /** Returns the round-trip times in nanoseconds. */
    Histogram times() {
        return times;
    }

    void summary() {
        seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        if (output.isJson()) {
            System.out.println(Json.of(values()));
            return;
        }
        var answered = times.getTotalCount();
        System.out.println(); // ends the line of the ^C that a terminal shows
        System.out.println("--- " + worker + " ---");
        System.out.printf(Locale.ROOT, "%d commands of %d bytes, %d answers, %.1f s%n", sent, size, answered, seconds);
        if (answered > 0) {
            System.out.println("min " + micros(shortest) + ", p50 " + micros(percentile(P50)) + ", p99 "
                    + micros(percentile(P99)) + ", max " + micros(longest) + " us");
        }
    }

    /** Writes the summary and the distribution to files; see {@link RawResults}. */
    void write(Path file) {
        times.setStartTimeStamp(startMillis);
        times.setEndTimeStamp(System.currentTimeMillis());
        var measurement = new LinkedHashMap<String, Object>();
        measurement.put("measurement", "ping");
        measurement.put("release", Version.release());
        measurement.put("runtime", DocaRuntime.current().summary());
        measurement.put("corrects_coordinated_omission", false);
        try (var results = new RawResults(file, measurement)) {
            results.add(values());
            results.add(size + " bytes", times);
        }
    }

    private long percentile(double percent) {
        return Math.clamp(times.getValueAtPercentile(percent), shortest, longest);
    }

    private Map<String, Object> values() {
        var answered = times.getTotalCount();
        var values = new LinkedHashMap<String, Object>();
        values.put("commands", sent);
        values.put("answers", answered);
        values.put("bytes", size);
        values.put("seconds", seconds);
        if (answered > 0) {
            values.put("min_ns", shortest);
            values.put("p50_ns", percentile(P50));
            values.put("p99_ns", percentile(P99));
            values.put("max_ns", longest);
        }
        return values;
    }

    static String micros(long nanos) {
        var micros = nanos / NANOS_PER_MICRO;
        return String.format(Locale.ROOT, micros < 10 ? "%.2f" : "%.1f", micros);
    }
}

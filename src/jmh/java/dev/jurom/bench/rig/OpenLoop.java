// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Executes subjects at fixed rates, alternating in slices of one second. */
final class OpenLoop {

    private static final int WARM_UP_SLICES = 3;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};
    private static final List<String> DECADES = List.of("0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %");
    private static final int STEPS_PER_DECADE = 20;

    private final Map<String, Histogram> histograms = new LinkedHashMap<>();
    private String cores = "";
    private String stalls = "";

    private OpenLoop() {}

    /**
     * Measures at a rate in commands per second, and UROM at ten times the rate, too; {@code seconds} for each subject.
     * The subject without commands shows the delays of the sender by the machine.
     */
    static OpenLoop run(int rate, int seconds, Services services, RawOption raw) throws InterruptedException {
        var result = new OpenLoop();
        result.stalls = Stalls.measure();
        var processes = new LinkedHashMap<SubjectProcess, Integer>();
        try (services;
                var probe = new CacheDomainProbe()) {
            try {
                result.start(processes, "no command", "paced-nothing", rate, services);
                result.start(processes, "no command", "paced-nothing", 10 * rate, services);
                result.start(processes, "Java explicit", "paced-loopback", rate, services);
                result.start(processes, "Java explicit", "paced-loopback", 10 * rate, services);
                result.start(processes, "Java facade", "paced-facade", rate, services);
                result.start(processes, "gRPC-java", "paced-grpc --cores -1,-1", rate, services);
                for (var slice = -WARM_UP_SLICES; slice < seconds; slice++) {
                    result.runSlice(processes, slice, raw);
                    var nanos = probe.measure();
                    if (slice >= 0) {
                        raw.add(Map.of("slice", slice, "cache_line_ns", nanos));
                    }
                }
            } finally {
                processes.keySet().forEach(SubjectProcess::close);
            }
            result.cores = probe.summary();
        }
        return result;
    }

    private void start(
            Map<SubjectProcess, Integer> processes, String name, String measurement, int rate, Services services) {
        var subject = Subject.inJava(name + ", " + rate + "/s", measurement + " --size 64 --depth 1024 --rate " + rate)
                .at(Service.LOCAL);
        histograms.put(subject.name(), new Histogram(3));
        processes.put(services.start(subject), rate);
    }

    private void runSlice(Map<SubjectProcess, Integer> processes, int slice, RawOption raw) {
        processes.forEach((process, rate) -> {
            var start = System.currentTimeMillis();
            var histogram = decode(process.ask(rate));
            if (slice < 0) {
                return;
            }
            histogram.setStartTimeStamp(start);
            histogram.setEndTimeStamp(System.currentTimeMillis());
            histograms.get(process.subject().name()).add(histogram);
            raw.add(process.subject().name(), histogram);
            var values = new LinkedHashMap<String, Object>();
            values.put("subject", process.subject().name());
            values.put("slice", slice);
            for (var percentile : PERCENTILES) {
                values.put(
                        "p" + String.valueOf(percentile).replaceAll("\\.0$", "") + "_ns",
                        histogram.getValueAtPercentile(percentile));
            }
            values.put("commands", histogram.getTotalCount());
            raw.add(values);
        });
    }

    private static Histogram decode(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException e) {
            throw new IllegalStateException("expected a histogram, got " + text, e);
        }
    }

    /** Returns a table of percentiles, the cache domain, and the stalls of the machine. */
    String text() {
        return table() + "\n" + cores + "\n\n" + stalls + "\n";
    }

    private Table table() {
        var table = new Table("subject, rate", "p50", "p90", "p99", "p99.9", "maximum", "commands");
        histograms.forEach((name, histogram) -> {
            var row = new String[PERCENTILES.length + 3];
            row[0] = name;
            for (var i = 0; i < PERCENTILES.length; i++) {
                row[i + 1] = Figures.time(histogram.getValueAtPercentile(PERCENTILES[i]));
            }
            row[PERCENTILES.length + 1] = Figures.time(histogram.getMaxValue());
            row[PERCENTILES.length + 2] = Long.toString(histogram.getTotalCount());
            table.row(row);
        });
        return table;
    }

    /** Returns the percentiles as SVG. */
    String plot() {
        var plot = new Plot();
        histograms.forEach((name, histogram) -> {
            var points = plot.line(name);
            var steps = Math.min(DECADES.size() - 1, Math.log10(histogram.getTotalCount())) * STEPS_PER_DECADE;
            for (var step = 0; step <= steps; step++) {
                var decade = (double) step / STEPS_PER_DECADE;
                var nanos = histogram.getValueAtPercentile(100 * (1 - Math.pow(10, -decade)));
                var time = Plot.log(10, Math.max(1, nanos));
                points.add(decade, time, time, time);
            }
        });
        return plot.draw(
                "Loopback of 64 B at a fixed rate, measured from the due time",
                Machine.summary(),
                Plot.labelled("percentage of commands answered within the time", DECADES),
                Plot.logarithmic(10, Figures::time));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Drives subjects at fixed rates, in turn, a slice of a second each. */
final class OpenLoop {

    private static final int WARM_UP_SLICES = 3;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    private final Map<String, Histogram> histograms = new LinkedHashMap<>();
    private String cores = "";

    private OpenLoop() {}

    /** Measures at a rate, and UROM at ten times that too, for so many seconds each. */
    static OpenLoop run(int rate, int seconds) {
        var result = new OpenLoop();
        var contestants = new LinkedHashMap<Contestant, Integer>();
        try (var services = new Services();
                var watch = new CoreWatch()) {
            try {
                result.start(contestants, "Java explicit", "paced-loopback", rate, services);
                result.start(contestants, "Java explicit", "paced-loopback", 10 * rate, services);
                result.start(contestants, "Java facade", "paced-facade", rate, services);
                result.start(contestants, "gRPC-java", "paced-grpc --cores -1,-1", rate, services);
                for (var slice = -WARM_UP_SLICES; slice < seconds; slice++) {
                    result.runSlice(contestants, slice >= 0);
                    watch.look();
                }
            } finally {
                contestants.keySet().forEach(Contestant::close);
            }
            result.cores = watch.summary();
        }
        return result;
    }

    private void start(
            Map<Contestant, Integer> contestants, String name, String measurement, int rate, Services services) {
        var subject = Subject.inJava(name + ", " + rate + "/s", measurement + " --size 64 --depth 1024 --rate " + rate)
                .at(Service.LOCAL);
        histograms.put(subject.name(), new Histogram(3));
        contestants.put(services.start(subject), rate);
    }

    private void runSlice(Map<Contestant, Integer> contestants, boolean counts) {
        contestants.forEach((contestant, rate) -> {
            var histogram = decode(contestant.ask(rate));
            if (counts) {
                histograms.get(contestant.subject().name()).add(histogram);
            }
        });
    }

    private static Histogram decode(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException e) {
            throw new IllegalStateException("A slice is answered by a histogram, not by " + text, e);
        }
    }

    /** Percentiles as a table, and how far apart the cores were. */
    String text() {
        return table() + "\n" + cores + "\n";
    }

    private Table table() {
        var table = new Table("at a fixed rate", "p50", "p90", "p99", "p99.9", "commands");
        histograms.forEach((name, histogram) -> {
            var row = new String[PERCENTILES.length + 2];
            row[0] = name;
            for (var i = 0; i < PERCENTILES.length; i++) {
                row[i + 1] = Figures.time(histogram.getValueAtPercentile(PERCENTILES[i]));
            }
            row[PERCENTILES.length + 1] = Long.toString(histogram.getTotalCount());
            table.row(row);
        });
        return table;
    }

    /** Percentiles as an SVG. */
    String plot() {
        return new PercentilePlot(histograms)
                .draw("Loopback of 64 B at a fixed rate, from the time at which each was due", Machine.summary());
    }
}

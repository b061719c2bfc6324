// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.ping;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Draws a histogram of round-trip times as an SVG file with a logarithmic time axis. */
final class HistogramDrawing {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 320;
    private static final int LEFT = 60;
    private static final int RIGHT = 60;
    private static final int TOP = 50;
    private static final int BOTTOM = 50;
    private static final int BARS = 80;
    private static final int TICKS = 5;
    private static final int LABEL_GAP = 18;

    private final Histogram times;
    private final double lowest;
    private final double ratio; // between the end and the beginning of a bar
    private final StringBuilder text = new StringBuilder();

    private HistogramDrawing(Histogram times) {
        this.times = times;
        lowest = Math.max(1, times.getMinValue());
        ratio = Math.pow(Math.max(2, (times.getMaxValue() + 1) / lowest), 1.0 / BARS);
    }

    /**
     * Writes a drawing and replaces an existing file.
     *
     * @throws UncheckedIOException if the file cannot be written
     */
    static void write(Path file, Histogram times, String title) {
        try {
            Files.writeString(file, new HistogramDrawing(times).draw(title));
        } catch (IOException e) {
            throw new UncheckedIOException("The drawing " + file + " cannot be written: " + e, e);
        }
    }

    private String draw(String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\""
                        + "sans-serif\" font-size=\"12\">",
                WIDTH, HEIGHT);
        add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        label(WIDTH / 2.0, LABEL_GAP, title + ", " + times.getTotalCount() + " answers");
        if (times.getTotalCount() > 0) {
            bars();
            ticks();
            mark("p50", times.getValueAtPercentile(50));
            mark("p99", times.getValueAtPercentile(99));
        }
        add("</svg>");
        return text.toString();
    }

    private void bars() {
        var counts = new long[BARS];
        var most = 1L;
        for (var value : times.recordedValues()) {
            var at = Math.clamp((long) (Math.log(value.getValueIteratedTo() / lowest) / Math.log(ratio)), 0, BARS - 1);
            counts[at] += value.getCountAtValueIteratedTo();
            most = Math.max(most, counts[at]);
        }
        var width = (double) (WIDTH - LEFT - RIGHT) / BARS;
        for (var i = 0; i < BARS; i++) {
            var height = (double) (HEIGHT - TOP - BOTTOM) * counts[i] / most;
            add(
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#4477aa\"/>",
                    LEFT + i * width, HEIGHT - BOTTOM - height, width, height);
        }
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>", LEFT - 6, TOP + 4, most);
    }

    private void ticks() {
        add("<path d=\"M%d %dH%d\" stroke=\"black\"/>", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT);
        for (var i = 0; i <= TICKS; i++) {
            var value = lowest * Math.pow(ratio, (double) BARS * i / TICKS);
            label(x(value), HEIGHT - BOTTOM + LABEL_GAP, PingReport.micros((long) value));
        }
        label(WIDTH / 2.0, HEIGHT - 10, "µs, there and back");
    }

    private void mark(String name, long value) {
        add("<path d=\"M%.1f %dV%d\" stroke=\"#cc3311\" stroke-dasharray=\"4 3\"/>", x(value), TOP, HEIGHT - BOTTOM);
        label(x(value), TOP - 4, name + " " + PingReport.micros(value));
    }

    private double x(double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * Math.log(value / lowest) / (BARS * Math.log(ratio));
    }

    private void label(double x, double y, String words) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", x, y, words);
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}

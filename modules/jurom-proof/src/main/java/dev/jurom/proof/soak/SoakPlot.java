// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Draws samples as SVG, with a panel for each unit above a common time axis. */
final class SoakPlot {

    private static final int WIDTH = 860;
    private static final int LEFT = 70;
    private static final int RIGHT = 210; // margin for the names
    private static final int TOP = 50;
    private static final int PANEL = 130;
    private static final int GAP = 26;
    private static final int BOTTOM = 60;
    private static final int RULES = 4;
    private static final int LABELS = 10; // maximum number of labels of the time axis
    private static final List<String> COLOURS = List.of("#0b6e99", "#c2410c", "#15803d");

    private final List<Sample> samples;
    private final double minutes;
    private final StringBuilder text = new StringBuilder();

    /** Creates a plot of samples that cover the given number of minutes. */
    SoakPlot(List<Sample> samples, double minutes) {
        this.samples = samples;
        this.minutes = minutes;
    }

    /** Returns the SVG text. */
    String draw(String title, String caption) {
        var units = Quantity.Unit.values();
        var height = TOP + units.length * (PANEL + GAP) + BOTTOM;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                        + "font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH, height);
        line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, height);
        words(LEFT, TOP - 26, "start", 15, title);
        for (var unit : units) {
            panel(unit, TOP + unit.ordinal() * (PANEL + GAP));
        }
        minutes(height - BOTTOM - GAP);
        words(LEFT, height - 12, "start", 10, caption);
        return text + "</svg>\n";
    }

    private void panel(Quantity.Unit unit, int top) {
        var series = Quantity.ALL.stream().filter(it -> it.unit() == unit).toList();
        var most = series.stream()
                .flatMapToDouble(it -> Arrays.stream(it.values(samples)))
                .max()
                .orElse(0);
        var step = roundStep(most / RULES);
        var scale = PANEL / (step * RULES);
        for (var i = 0; i <= RULES; i++) {
            var y = top + PANEL - i * step * scale;
            line("<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#d4d4d4\"/>", LEFT, y, WIDTH - RIGHT, y);
            words(LEFT - 8, y + 4, "end", 11, String.format(Locale.ROOT, "%.0f", i * step));
        }
        words(LEFT, top - 6, "start", 11, unit.label());
        for (var i = 0; i < series.size(); i++) {
            draw(series.get(i), COLOURS.get(i), top, scale, i);
        }
    }

    private void draw(Quantity quantity, String colour, int top, double scale, int number) {
        var points = new StringBuilder();
        var values = quantity.values(samples);
        for (var i = 0; i < values.length; i++) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(i), top + PANEL - values[i] * scale));
        }
        line(
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>",
                colour, points.toString().strip());
        var y = top + 14 + 20 * number;
        line("<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>", WIDTH - RIGHT + 16, y - 5, colour);
        words(WIDTH - RIGHT + 36, y, "start", 12, quantity.name());
    }

    private void minutes(int y) {
        var step = Math.max(1, roundStep(minutes / LABELS));
        for (var minute = 0.0; minute <= minutes; minute += step) {
            words(
                    x(minute / minutes * (samples.size() - 1)),
                    y + 18,
                    "middle",
                    12,
                    String.format(Locale.ROOT, "%.0f", minute));
        }
        words(x(samples.size() / 2.0), y + 36, "middle", 12, "minutes");
    }

    /** Returns the smallest of 1, 2, 5, 10, 20 ... that is not less than the argument. */
    private static double roundStep(double least) {
        var power = 1.0;
        while (true) {
            for (var digit : new int[] {1, 2, 5}) {
                if (digit * power >= least) {
                    return digit * power;
                }
            }
            power *= 10;
        }
    }

    private double x(double sample) {
        return LEFT + sample / Math.max(1, samples.size() - 1) * (WIDTH - LEFT - RIGHT);
    }

    private void words(double x, double y, String anchor, int size, String words) {
        line(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"#222\">" + "%s</text>",
                x, y, anchor, size, words.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private void line(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}

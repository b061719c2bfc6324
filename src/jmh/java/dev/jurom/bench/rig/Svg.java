// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;
import java.util.Locale;

/** Draws a plot with a title, rules, series of points and a legend. */
final class Svg {

    static final int WIDTH = 860;
    static final int HEIGHT = 500;
    static final int LEFT = 70;
    static final int RIGHT = 230; // margin for the legend
    static final int TOP = 40;
    static final int BOTTOM = 90;

    private static final List<String> COLOURS =
            List.of("#0b6e99", "#c2410c", "#15803d", "#7c3aed", "#a16207", "#be123c", "#db83c4", "#525252");

    private final StringBuilder text = new StringBuilder();
    private int series;

    Svg(String title, List<String> caption) {
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                        + "font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH, HEIGHT);
        line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        text(LEFT, TOP - 16, "start", 15, title);
        for (var i = 0; i < caption.size(); i++) {
            text(LEFT, HEIGHT - 12 - 14 * (caption.size() - 1 - i), "start", 10, caption.get(i));
        }
    }

    /** Returns the coordinate of a position on the horizontal axis, from 0 to 1. */
    static double x(double share) {
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    /** Returns the coordinate of a position on the vertical axis, from 0 at the bottom to 1. */
    static double y(double share) {
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    /** Draws a horizontal rule with a label. */
    void across(double share, String label) {
        rule(LEFT, y(share), WIDTH - RIGHT, y(share));
        text(LEFT - 8, y(share) + 4, "end", 12, label);
    }

    /** Draws a vertical rule with a label. */
    void upwards(double share, String label) {
        rule(x(share), TOP, x(share), HEIGHT - BOTTOM);
        text(x(share), HEIGHT - BOTTOM + 18, "middle", 12, label);
    }

    /** Draws the label of the horizontal axis. */
    void axis(String label) {
        text(x(0.5), HEIGHT - BOTTOM + 34, "middle", 12, label);
    }

    /** Draws a series of points given as {@code x,y} pairs. */
    void series(String name, String points) {
        var colour = COLOURS.get(series % COLOURS.size());
        var legendY = TOP + 10 + 22 * series++;
        line("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>", colour, points.strip());
        line(
                "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>",
                WIDTH - RIGHT + 16, legendY - 4, colour);
        text(WIDTH - RIGHT + 36, legendY + 2, "start", 12, name);
    }

    /** Formats a point of a series. */
    static String point(double x, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f ", x, y);
    }

    private void rule(double x1, double y1, double x2, double y2) {
        line("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#d4d4d4\"/>", x1, y1, x2, y2);
    }

    private void text(double x, double y, String anchor, int size, String words) {
        line(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>",
                x, y, anchor, size, words.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private void line(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    /** Returns the SVG text. */
    String close() {
        return text + "</svg>\n";
    }
}

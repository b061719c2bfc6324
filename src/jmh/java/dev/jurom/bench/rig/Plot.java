// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Rectangle;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.DeviationRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;
import org.jfree.svg.SVGGraphics2D;
import org.jfree.svg.ViewBox;

/**
 * A plot of lines with a legend and a caption, drawn as SVG by JFreeChart. A subject has the same colour in all plots,
 * and its lines differ in their dashes. The size is such that texts are readable on screens of 390 pixels.
 */
final class Plot {

    private static final int WIDTH = 460;
    private static final int HEIGHT = 520;
    private static final int MARGIN = 6;
    private static final int RIGHT_MARGIN = 24; // for the second half of the last label

    /** The colours of subjects, by the name of a line before its first comma. Hosts are the subject C. */
    private static final Map<String, String> COLOURS = Map.ofEntries(
            Map.entry("C", "#0b6e99"),
            Map.entry("all active", "#0b6e99"),
            Map.entry("one active per host", "#0b6e99"),
            Map.entry("one worker each", "#0b6e99"),
            Map.entry("Java explicit", "#c2410c"),
            Map.entry("Java facade", "#7c3aed"),
            Map.entry("raw UCX", "#15803d"),
            Map.entry("Aeron IPC", "#a16207"),
            Map.entry("gRPC-java", "#be123c"),
            Map.entry("Unix socket", "#c026a3"),
            Map.entry("downcall (memcpy)", "#525252"),
            Map.entry("no command", "#0f172a"),
            Map.entry("throughput", "#4d7c0f"),
            Map.entry("application's CPU", "#4338ca"));

    /** The dashes of the first, second and third line of a subject. */
    private static final List<float[]> DASHES = List.of(new float[] {}, new float[] {7, 3}, new float[] {2, 3});

    private static final Font LARGE = new Font(Font.SANS_SERIF, Font.PLAIN, 15);
    private static final Font NORMAL = LARGE.deriveFont(12f);
    private static final Font SMALL = LARGE.deriveFont(11f);

    private static final float AREA = 0.2f; // opacity

    private static final Shape SAMPLE = new Line2D.Double(0, 0, 24, 0); // of a line, in the legend

    private final YIntervalSeriesCollection lines = new YIntervalSeriesCollection();

    private static String subject(String line) {
        return line.split(",", 2)[0];
    }

    private static BasicStroke stroke(int line) {
        return line == 0
                ? new BasicStroke(2)
                : new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES.get(line), 0);
    }

    /**
     * Adds a line without points and returns it. A point has a lower and an upper bound, the area between which is
     * filled.
     *
     * @param name the subject, optionally followed by a comma and a variant
     */
    YIntervalSeries line(String name) {
        if (!COLOURS.containsKey(subject(name))) {
            throw new IllegalArgumentException(
                    "no colour for the subject \"" + subject(name) + "\": add it to Plot.COLOURS");
        }
        var line = new YIntervalSeries(name);
        lines.addSeries(line);
        return line;
    }

    /** Returns an axis whose integer values from 0 have labels. */
    static ValueAxis labelled(String name, List<String> labels) {
        var axis = new SymbolAxis(name, labels.toArray(String[]::new));
        axis.setGridBandsVisible(false);
        axis.setRange(0, labels.size() - 1);
        return axis;
    }

    /** Returns the coordinate of a value on a logarithmic axis. */
    static double log(int base, double value) {
        return Math.log(value) / Math.log(base);
    }

    /** Returns an axis for logarithms to the base, with the labels of powers. */
    static ValueAxis logarithmic(int base, DoubleFunction<String> label) {
        var axis = linear(logarithm -> label.apply(Math.pow(base, logarithm)));
        axis.setStandardTickUnits(NumberAxis.createIntegerTickUnits());
        axis.setAutoRangeIncludesZero(false);
        return axis;
    }

    /** Returns a linear axis from 0. */
    static NumberAxis linear(DoubleFunction<String> label) {
        var axis = new NumberAxis();
        axis.setNumberFormatOverride(format(label));
        return axis;
    }

    private static NumberFormat format(DoubleFunction<String> label) {
        return new NumberFormat() {

            @Override
            public StringBuffer format(double number, StringBuffer text, FieldPosition position) {
                return text.append(label.apply(number));
            }

            @Override
            public StringBuffer format(long number, StringBuffer text, FieldPosition position) {
                return format((double) number, text, position);
            }

            @Override
            public Number parse(String text, ParsePosition position) {
                throw new UnsupportedOperationException();
            }
        };
    }

    /** Returns the SVG text. */
    String draw(String title, List<String> caption, ValueAxis horizontal, ValueAxis vertical) {
        var renderer = new DeviationRenderer(true, false);
        renderer.setAlpha(AREA);
        renderer.setLegendLine(SAMPLE);
        var linesOfSubjects = new HashMap<String, Integer>();
        for (var i = 0; i < lines.getSeriesCount(); i++) {
            var subject = subject(lines.getSeriesKey(i).toString());
            var colour = Color.decode(COLOURS.get(subject));
            renderer.setSeriesPaint(i, colour);
            renderer.setSeriesFillPaint(i, colour);
            renderer.setSeriesStroke(i, stroke(linesOfSubjects.merge(subject, 1, Integer::sum) - 1));
        }
        var plot = new XYPlot(lines, horizontal, vertical, renderer);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setDomainGridlinePaint(Color.LIGHT_GRAY);
        plot.setDomainGridlineStroke(new BasicStroke(1)); // dashes would be one path each
        plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.setOutlineVisible(false);
        for (var axis : List.of(horizontal, vertical)) {
            axis.setLabelFont(NORMAL);
            axis.setTickLabelFont(NORMAL);
            axis.setTickMarksVisible(false);
        }
        var chart = new JFreeChart(title, LARGE, plot, true);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(MARGIN, MARGIN, MARGIN, RIGHT_MARGIN));
        chart.getLegend().setFrame(BlockBorder.NONE);
        chart.getLegend().setPosition(RectangleEdge.BOTTOM);
        chart.getLegend().setItemFont(NORMAL);
        for (var line : caption.reversed()) {
            var text = new TextTitle(line, SMALL);
            text.setPosition(RectangleEdge.BOTTOM);
            chart.addSubtitle(text);
        }
        var graphics = new SVGGraphics2D(WIDTH, HEIGHT);
        graphics.setDefsKeyPrefix("");
        chart.draw(graphics, new Rectangle(WIDTH, HEIGHT));
        return graphics.getSVGElement(null, true, new ViewBox(0, 0, WIDTH, HEIGHT), null, null) + "\n";
    }
}

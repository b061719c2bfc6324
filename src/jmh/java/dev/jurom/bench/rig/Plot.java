// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Rectangle;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.List;
import java.util.function.DoubleFunction;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import org.jfree.svg.SVGGraphics2D;
import org.jfree.svg.ViewBox;

/** A plot of lines with a legend and a caption, drawn as SVG by JFreeChart. */
final class Plot {

    private static final int WIDTH = 860;
    private static final int HEIGHT = 500;
    private static final int MARGIN = 10;
    private static final List<String> COLOURS =
            List.of("#0b6e99", "#c2410c", "#15803d", "#7c3aed", "#a16207", "#be123c", "#db83c4", "#525252");
    private static final Font LARGE = new Font(Font.SANS_SERIF, Font.PLAIN, 15);
    private static final Font NORMAL = LARGE.deriveFont(12f);
    private static final Font SMALL = LARGE.deriveFont(10f);

    private final XYSeriesCollection lines = new XYSeriesCollection();

    /** Adds a line without points and returns it. */
    XYSeries line(String name) {
        var line = new XYSeries(name);
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
        var renderer = new XYLineAndShapeRenderer(true, false);
        renderer.setDrawSeriesLineAsPath(true);
        for (var i = 0; i < lines.getSeriesCount(); i++) {
            renderer.setSeriesPaint(i, Color.decode(COLOURS.get(i % COLOURS.size())));
            renderer.setSeriesStroke(i, new BasicStroke(2));
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
        chart.setPadding(new RectangleInsets(MARGIN, MARGIN, MARGIN, MARGIN));
        chart.getLegend().setFrame(BlockBorder.NONE);
        chart.getLegend().setPosition(RectangleEdge.RIGHT);
        chart.getLegend().setItemFont(NORMAL);
        for (var line : caption.reversed()) {
            var text = new TextTitle(line, SMALL);
            text.setPosition(RectangleEdge.BOTTOM);
            chart.addSubtitle(text);
        }
        var graphics = new SVGGraphics2D(WIDTH, HEIGHT);
        graphics.setDefsKeyPrefix("");
        chart.draw(graphics, new Rectangle(WIDTH, HEIGHT));
        return graphics.getSVGElement(null, false, new ViewBox(0, 0, WIDTH, HEIGHT), null, null) + "\n";
    }
}

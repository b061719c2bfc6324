// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistogramDrawingTest {

    private static final Pattern LABEL = Pattern.compile("<text x=\"([\\d.]+)\" [^>]*\"middle\">(.*)</text>");
    private static final Pattern WIDTH = Pattern.compile("viewBox=\"0 0 (\\d+) ");
    private static final double CHARACTER = 7; // width in the default font of 12 pixels

    @TempDir
    private Path folder;

    @Test
    void labels_are_inside_of_the_drawing() throws IOException {
        var times = new Histogram(3);
        times.recordValue(1_000);
        times.recordValue(123_456_789); // nanoseconds: a long label at the right end
        var file = folder.resolve("times.svg");

        HistogramDrawing.write(file, times, "ping");

        var drawing = Files.readString(file);
        var width = WIDTH.matcher(drawing)
                .results()
                .mapToDouble(it -> Double.parseDouble(it.group(1)))
                .sum();
        var labels = LABEL.matcher(drawing).results().toList();
        assertEquals(10, labels.size(), drawing);
        for (var label : labels) {
            var middle = Double.parseDouble(label.group(1));
            var half = label.group(2).length() * CHARACTER / 2;
            assertTrue(middle - half >= 0 && middle + half <= width, label.group());
        }
    }
}

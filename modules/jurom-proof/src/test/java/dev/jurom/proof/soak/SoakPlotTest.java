// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.proof.process.ProcessFigures;
import java.io.StringReader;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class SoakPlotTest {

    @Test
    void the_plot_has_a_named_line_for_each_quantity_and_a_point_for_each_sample() throws Exception {
        var figures = new ProcessFigures(1, 0, 50 << 20, 30, 12);
        var samples = IntStream.range(0, 120)
                .mapToObj(i -> new Sample(figures, figures, figures, 1 << 20, 1 << 20, 2, 8, 0))
                .toList();

        var text = new SoakPlot(samples, 2).draw("a title", "1 < 2 & so on");

        var page = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(text)));
        var lines = page.getElementsByTagName("polyline");
        assertEquals(Quantity.ALL.size(), lines.getLength());
        for (var i = 0; i < lines.getLength(); i++) {
            var points = lines.item(i).getAttributes().getNamedItem("points").getNodeValue();
            assertEquals(samples.size(), points.split(" ").length);
        }
        Quantity.ALL.forEach(it -> assertTrue(text.contains(">" + it.name() + "<"), it.name()));
        assertTrue(text.contains(">minutes<"));
    }
}

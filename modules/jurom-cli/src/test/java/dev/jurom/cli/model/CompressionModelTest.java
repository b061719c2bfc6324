// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.model.CompressionFigures.InProcess;
import dev.jurom.cli.model.CompressionFigures.Linear;
import dev.jurom.cli.model.CompressionFigures.Measured;
import java.util.List;
import java.util.OptionalInt;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class CompressionModelTest {

    private static final double BLOCK = 100_000;
    private static final double CLOSE = 1e-9;
    private static final Linear NONE = new Linear(0, 0);

    /** A block takes 1 ms in the process, and 0.1 ms of the application in a worker. */
    private static CompressionModel model(double coreSpeed, double linkLatency, double linkBandwidth) {
        return new CompressionModel(
                BLOCK,
                new InProcess(BLOCK / 1e-3, 4),
                new Linear(1e-4, 0),
                NONE,
                new Linear(2e-4, 0),
                coreSpeed,
                linkLatency,
                linkBandwidth);
    }

    @Test
    void cores_of_the_same_speed_without_a_link_have_the_measured_costs() {
        var model = model(1, 0, Double.POSITIVE_INFINITY);

        assertEquals(BLOCK / 1e-3, model.throughput(), 1);
        assertEquals(1.2e-3, model.latency(), CLOSE);
        assertEquals(0.9, model.saved(), CLOSE);
        assertEquals(OptionalInt.of(1), model.workers());
    }

    @Test
    void slower_cores_need_more_workers() {
        var model = model(0.4, 0, Double.POSITIVE_INFINITY);

        assertEquals(0.4 * BLOCK / 1e-3, model.throughput(), 1);
        assertEquals(2.7e-3, model.latency(), CLOSE);
        assertEquals(OptionalInt.of(3), model.workers());
    }

    @Test
    void the_link_adds_both_directions_to_the_latency_and_limits_the_throughput() {
        assertEquals(1.2e-3 + 6e-6 + BLOCK * 1.25 / 1e9, model(1, 3e-6, 1e9).latency(), CLOSE);

        var slow = model(1, 0, 0.5 * BLOCK / 1e-3);
        assertEquals(0.5 * BLOCK / 1e-3, slow.throughput(), 1);
        assertEquals(OptionalInt.empty(), slow.workers());
    }

    @Test
    void a_line_is_fitted_to_times() {
        var fitted = Linear.fit(List.of(new Measured(10, 30, 30), new Measured(20, 50, 50), new Measured(40, 90, 90)));

        assertEquals(10, fitted.perBlock(), CLOSE);
        assertEquals(2, fitted.perByte(), CLOSE);
        var falling = Linear.fit(List.of(new Measured(10, 5, 1), new Measured(20, 3, 1)));
        assertEquals(new Linear(4, 0), falling);
        var steep = Linear.fit(List.of(new Measured(10, 0, 1), new Measured(20, 40, 1)));
        assertEquals(0, steep.perBlock());
        assertTrue(steep.perByte() > 0);
    }

    @Test
    void the_documented_figures_are_complete_and_their_text_can_be_read_again() throws Exception {
        var documented = CompressionFigures.documented();
        var text = new Properties();
        text.load(new java.io.StringReader(documented.text()));

        assertFalse(documented.blocks().isEmpty());
        assertTrue(documented.hostTime().of(BLOCK) > 0);
        assertEquals(documented.blocks().size() + 3, text.size());
        assertTrue(text.containsKey("block.256.3"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.PoolConfiguration;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.compress.Compression;
import dev.jurom.compress.CompressionConfiguration;
import dev.jurom.compress.CompressionMode;
import dev.jurom.fixture.Command;
import dev.jurom.plugin.graph.GraphPlugin;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares all meters with the table in docs/counters.md and with the conventions of Micrometer. */
class MeterNamesTest {

    private static final Pattern NAME = Pattern.compile("jurom(\\.[a-z]+)+");
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| `(jurom\\.[^`]+)` \\| (\\w+) \\| (\\w*) ?\\| ((?:`[a-z.]+`(?:, )?)*) ?\\| .+ \\|$");

    private static List<Meter.Id> meters;

    @BeforeAll
    static void registerAll() throws Exception {
        var registry = new SimpleMeterRegistry();
        var local =
                CompressionConfiguration.builder().mode(CompressionMode.LOCAL).build();
        try (var urom = Urom.open();
                var pool = urom.startPool(PoolConfiguration.builder(WorkerConfiguration.of(GraphPlugin.NAME))
                        .workers(1)
                        .build());
                var compression = Compression.open(local)) {
            new UromMetrics(urom).bindTo(registry);
            new PoolMetrics(pool, List.of()).bindTo(registry);
            new CompressionMetrics(compression, List.of()).bindTo(registry);
            new CommandTimer<>(GraphPlugin.LOOPBACK, "loopback", registry);
        }
        meters = registry.getMeters().stream().map(Meter::getId).toList();
    }

    @Test
    void the_table_of_the_page_has_each_meter_with_type_unit_and_tags() throws IOException {
        var page = Files.readString(Command.ROOT.resolve("docs/counters.md"));
        var documented = ROW.matcher(page)
                .results()
                .map(row -> String.join(
                        " ",
                        row.group(1),
                        row.group(2),
                        row.group(3),
                        row.group(4).replace("`", "")))
                .collect(Collectors.toCollection(TreeSet::new));

        var registered = meters.stream().map(MeterNamesTest::row).collect(Collectors.toCollection(TreeSet::new));

        assertEquals(registered, documented);
    }

    private static String row(Meter.Id meter) {
        return String.join(
                " ",
                meter.getName(),
                meter.getType().name().toLowerCase(Locale.ROOT),
                unit(meter),
                meter.getTags().stream().map(Tag::getKey).collect(Collectors.joining(", ")));
    }

    private static String unit(Meter.Id meter) {
        return meter.getBaseUnit() == null ? "" : meter.getBaseUnit();
    }

    /** Registries such as that of Prometheus append the base unit to a name that does not end with it. */
    @Test
    void names_are_words_separated_by_dots_and_units_are_base_units() {
        for (var meter : meters) {
            assertTrue(NAME.matcher(meter.getName()).matches(), meter::toString);
            assertTrue(List.of("", "bytes", "seconds").contains(unit(meter)), meter::toString);
            var beforeLast = meter.getName().substring(0, meter.getName().lastIndexOf('.'));
            assertFalse(List.of(beforeLast.split("[.]")).contains(unit(meter)), meter::toString);
            assertEquals(meter.getName().endsWith(".bytes"), unit(meter).equals("bytes"), meter::toString);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the page and the C code have the counters of {@link Counter}. */
class CounterListsTest {

    private static final List<CounterKind> COLUMNS = List.of(CounterKind.WORKER, CounterKind.HOST, CounterKind.DAEMON);
    private static final int FIRST_OF_KIND = 8; // the slots before it are common to workers and hosts

    private static String read(String file) throws IOException {
        return Files.readString(Command.ROOT.resolve(file));
    }

    @Test
    void the_page_lists_the_place_of_each_counter() throws IOException {
        var last =
                Arrays.stream(Counter.values()).mapToInt(Counter::index).max().orElseThrow();

        var table = IntStream.rangeClosed(0, last)
                .mapToObj(place -> "| " + place
                        + COLUMNS.stream().map(kind -> " |" + cell(kind, place)).collect(Collectors.joining()) + " |\n")
                .collect(Collectors.joining());

        assertTrue(read("docs/counters.md").contains("|---|---|---|---|\n" + table + "\n"), table);
    }

    private static String cell(CounterKind kind, int place) {
        if (kind == CounterKind.WORKER) {
            switch (CounterLayout.VALUES_AT + place * Long.BYTES) {
                case CounterLayout.CALLBACK_AT:
                    return " the running callback";
                case CounterLayout.BUSY_AT:
                    return " the announced end";
                case CounterLayout.POLLED_AT:
                    return " the last poll";
                default:
            }
        }
        return Counter.of(kind).stream()
                .filter(counter -> counter.index() == place)
                .map(counter -> " `" + counter.shortName() + "`")
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @EnumSource
    void the_page_describes_each_counter(CounterKind kind) throws IOException {
        var heading = "\n| " + (kind == CounterKind.DAEMON ? "service" : kind) + " | what |\n";
        var page = read("docs/counters.md");
        var table = page.substring(page.indexOf(heading) + 1);
        var described = Pattern.compile("`(\\w+)`")
                .matcher(table.substring(0, table.indexOf("\n\n"))
                        .lines()
                        .map(line -> line.substring(0, line.indexOf('|', 1)))
                        .collect(Collectors.joining()))
                .results()
                .map(name -> name.group(1))
                .sorted()
                .toList();

        var gauges = kind == CounterKind.HOST ? List.of("in_flight") : List.<String>of(); // computed by readers
        assertEquals(
                Stream.concat(Counter.of(kind).stream().map(Counter::shortName), gauges.stream())
                        .sorted()
                        .toList(),
                described);
    }

    @ParameterizedTest
    @CsvSource({"WORKER, counters_worker", "HOST, counters_host"})
    void c_numbers_the_counters_in_the_same_order(CounterKind kind, String list) throws IOException {
        var header = read("src/main/c/counters/counters.h").replaceAll("(?s)/\\*.*?\\*/", "");
        var names = Pattern.compile("COUNTERS_(\\w+)(?: = COUNTERS_COLD)?,")
                .matcher(header.substring(header.indexOf("enum " + list + " {")).replaceFirst("(?s)}.*", ""))
                .results()
                .map(name -> name.group(1))
                .filter(name -> !List.of("CALLBACK", "BUSY", "POLLED").contains(name))
                .toList();

        assertEquals(
                Counter.of(kind).stream()
                        .filter(counter -> counter.index() >= FIRST_OF_KIND)
                        .map(counter -> counter.name().substring(kind.name().length() + 1))
                        .toList(),
                names);
    }
}

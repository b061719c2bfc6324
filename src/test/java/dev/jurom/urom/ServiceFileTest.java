// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.urom.ServiceFile.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ServiceFileTest {

    @Property
    void printed_entries_are_parsed_unchanged(@ForAll("entries") List<Entry> entries) {
        var file = new ServiceFile(entries);

        assertEquals(file, ServiceFile.parse(file.toString(), "text"));
    }

    @Property
    void any_text_is_parsed_or_rejected_with_its_line(@ForAll String text) {
        try {
            ServiceFile.parse(text, "text");
        } catch (ServiceFileException e) {
            assertTrue(e.line() >= 1 && e.line() <= text.lines().count(), e.getMessage());
        }
    }

    @Example
    void comments_blank_lines_and_extra_spaces_are_ignored() {
        var file = ServiceFile.parse("""
                # who      type  where           device        networks

                node1\t dpu   10.0.0.1:7471   0000:03:00.0  mlx5_0:1,eth2
                  #node2   dpu   10.0.0.2        0000:03:00.0  all
                node2      dpu   [fe80::1]:9000  0000:0b:00.1  all
                """, "text");

        assertEquals(
                ServiceFile.of(
                        new Entry("node1", "10.0.0.1:7471", "0000:03:00.0", List.of("mlx5_0:1", "eth2")),
                        new Entry("node2", "[fe80::1]:9000", "0000:0b:00.1", List.of("all"))),
                file);
    }

    /** The parser of the library is tested with the same table. */
    @Example
    void each_line_of_the_table_is_parsed_as_it_says() throws IOException {
        var rows = table();

        assertAll(rows.stream().map(row -> () -> assertHolds(row)));
        assertTrue(rows.size() > 50);
    }

    private static List<String[]> table() throws IOException {
        try (var rows = Files.lines(Command.ROOT.resolve("src/test/resources/service-file-lines.txt"))) {
            return rows.filter(row -> !row.startsWith("#"))
                    .map(row -> row.split("[|]", 4))
                    .toList();
        }
    }

    private static void assertHolds(String[] row) {
        switch (row[0]) {
            case "accepted" ->
                assertEquals(
                        row[1],
                        ServiceFile.parse(expand(row[2]), "text")
                                .entries()
                                .getFirst()
                                .devicePciAddress());
            case "rejected" -> assertRejected(expand(row[2]), row[1]);
            default -> {
                assertEquals("host", row[0]);
                var entry = new Entry(row[2], "dpu1", "0000:03:00.0", List.of("all"));
                var isLoopback = entry.applicationAddress()
                        .filter(InetAddress::isLoopbackAddress)
                        .isPresent();
                assertEquals(row[3].equals("yes"), isLoopback || entry.appliesTo(row[1]), String.join("|", row));
            }
        }
    }

    /** Replaces the escapes of the table. */
    private static String expand(String line) {
        var text = line.replace("\\t", "\t")
                .replace("\\r", "\r")
                .replace("\\f", "\f")
                .replace("\\x7f", "\u007f");
        return Pattern.compile("<x\\*([0-9]+)>")
                .matcher(text)
                .replaceAll(repeated -> "x".repeat(Integer.parseInt(repeated.group(1))));
    }

    @Example
    void the_first_entry_for_host_and_device_is_found() {
        var file = ServiceFile.of(
                new Entry("a", "dpu1", "0000:03:00.0", List.of("all")),
                new Entry("b", "dpu2", "0000:03:00.0", List.of("all")),
                new Entry("b", "dpu3", "0000:0b:00.0", List.of("all")),
                new Entry("b", "dpu4", "0000:0b:00.0", List.of("all")));

        assertEquals("dpu3", file.find("B", "0000:0B:00.0").orElseThrow().deviceHost());
        assertEquals("dpu3", file.find("b.example", "0B:00.0").orElseThrow().deviceHost());
        assertThrows(IllegalArgumentException.class, () -> file.find("b", "0B:00"));
        assertTrue(file.find("c", "0000:0b:00.0").isEmpty());
        assertTrue(file.find("a", "0000:0b:00.0").isEmpty());
    }

    @Example
    void a_malformed_line_is_refused_with_its_number_and_the_reason() {
        assertRejected("node dpu host 0000:03:00.0", "instead of 5");
        assertRejected("node dpu host 03:00 all", "\"03:00\"");
    }

    private static void assertRejected(String line, String reason) {
        var refusal = assertThrows(
                ServiceFileException.class, () -> ServiceFile.parse("# first line\n" + line + "\n", "a.conf"));

        assertEquals(2, refusal.line());
        assertTrue(refusal.getMessage().startsWith("a.conf, line 2: "), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
    }

    @Example
    void a_missing_file_is_named() {
        var missing = Path.of("no", "such", "file");

        var error = assertThrows(UncheckedIOException.class, () -> ServiceFile.read(missing));

        assertTrue(error.getMessage().contains(missing.toString()), error.getMessage());
    }

    @Provide
    Arbitrary<List<Entry>> entries() {
        var word = Arbitraries.strings()
                .alpha()
                .numeric()
                .withChars('.', '-', '_')
                .ofMinLength(1)
                .ofMaxLength(20);
        var port = Arbitraries.integers().between(1, 65_535);
        var host = Combinators.combine(word, port.injectNull(0.5))
                .as((name, number) -> number == null ? name : name + ":" + number);
        var pci = Combinators.combine(
                        Arbitraries.integers().between(0, 0xffff),
                        Arbitraries.integers().between(0, 0xff),
                        Arbitraries.integers().between(0, 7))
                .as((domain, bus, function) -> "%04x:%02x:00.%d".formatted(domain, bus, function));
        return Combinators.combine(word, host, pci, word.list().ofMinSize(1).ofMaxSize(3))
                .as(Entry::new)
                .list()
                .ofMaxSize(5);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.urom.ServiceFile.Entry;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
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

    @Example
    void the_first_entry_for_host_and_device_is_found() {
        var file = ServiceFile.of(
                new Entry("a", "dpu1", "0000:03:00.0", List.of("all")),
                new Entry("b", "dpu2", "0000:03:00.0", List.of("all")),
                new Entry("b", "dpu3", "0000:0b:00.0", List.of("all")),
                new Entry("b", "dpu4", "0000:0b:00.0", List.of("all")));

        assertEquals("dpu3", file.find("B", "0000:0B:00.0").orElseThrow().deviceHost());
        assertTrue(file.find("c", "0000:0b:00.0").isEmpty());
        assertTrue(file.find("a", "0000:0b:00.0").isEmpty());
    }

    @Example
    void a_malformed_line_is_refused_with_its_number_and_the_reason() {
        assertRejected("node dpu host 0000:03:00.0", "instead of 5");
        assertRejected("node dpu host 0000:03:00.0 all more", "instead of 5");
        assertRejected("node gpu host 0000:03:00.0 all", "\"gpu\"");
        assertRejected("node dpu host 03:00 all", "\"03:00\"");
        assertRejected("node dpu host:0 0000:03:00.0 all", "port from 1 to 65535");
        assertRejected("node dpu host:65536 0000:03:00.0 all", "port from 1 to 65535");
        assertRejected("node dpu host:x 0000:03:00.0 all", "port from 1 to 65535");
        assertRejected("node dpu host 0000:03:00.0 eth0,,eth1", "network device");
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

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the worker's header and the documentation have the formats of this enum. */
class CompressionFormatTest {

    private static String read(String path) throws IOException {
        return Files.readString(Command.ROOT.resolve(path));
    }

    @Test
    void the_header_of_the_plugin_has_the_same_formats() throws IOException {
        var header = read("headers/jurom/urom_compress.h");
        var constants = header.substring(
                header.indexOf("enum urom_compress_format {"), header.indexOf("UROM_COMPRESS_FORMATS_END"));
        var found = Pattern.compile("UROM_COMPRESS_(\\w+) = (\\d+),")
                .matcher(constants)
                .results()
                .collect(Collectors.toMap(match -> match.group(1), match -> Integer.valueOf(match.group(2))));

        assertEquals(
                Stream.of(CompressionFormat.values())
                        .collect(Collectors.toMap(CompressionFormat::name, CompressionFormat::code)),
                found);
    }

    @Test
    void the_pages_name_each_format_with_its_number_and_levels() throws IOException {
        var protocols = read("docs/plugin-protocols.md");
        var page = read("docs/compression.md");
        for (var format : CompressionFormat.values()) {
            var formats = protocols.substring(protocols.indexOf("Formats: 1 "));
            assertTrue(
                    Pattern.compile("[ ,]" + format.code() + " [^.]*")
                            .matcher(formats)
                            .find(),
                    format.name());
            var row = Pattern.compile("\\| `" + format + "`[^|]*\\| " + format.minLevel() + " to " + format.maxLevel()
                    + ", default " + format.defaultLevel() + " \\|");
            assertTrue(row.matcher(page).find(), () -> "docs/compression.md lacks a row for " + row);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.MarkdownPage;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the program of README.md. */
class ReadmeProgramTest {

    private static final Path README = Command.ROOT.resolve("README.md");

    @Test
    void it_is_short_and_compresses_a_file_in_a_worker(@TempDir Path folder) throws IOException {
        var program = MarkdownPage.of("README.md").blocks().stream()
                .filter(block -> block.file().endsWith(".java"))
                .findFirst()
                .orElseThrow();
        var source = Files.writeString(folder.resolve("CompressFile.java"), program.text());
        var target = folder.resolve("target.zst");
        var words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        words.addAll(ForkedJvm.options());
        words.addAll(List.of(ForkedJvm.NATIVE_ACCESS, "-cp", System.getProperty("java.class.path")));
        words.addAll(List.of(source.toString(), README.toString(), target.toString()));

        assertEquals("blocks in workers: 1\n", Command.run(words));
        assertArrayEquals(Files.readAllBytes(README), decompress(target));
        assertTrue(program.text().lines().count() <= 25, "too long for a first program");
    }

    @Test
    void it_is_that_of_the_project_that_the_page_names() throws IOException {
        for (var block : MarkdownPage.of("README.md").blocks()) {
            if (!block.file().isEmpty()) {
                var text = Files.readString(Command.ROOT.resolve(block.file()));
                assertEquals(text.replaceFirst("// SPDX.*\n", ""), block.text());
            }
        }
    }

    private static byte[] decompress(Path file) throws IOException {
        var inProgram =
                CompressionConfiguration.builder().mode(CompressionMode.LOCAL).build();
        try (var compression = Compression.open(inProgram);
                var in = compression.inputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            return in.readAllBytes();
        }
    }
}

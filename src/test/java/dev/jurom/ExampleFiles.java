// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.MarkdownPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of the repository's examples that pages show. */
final class ExampleFiles {

    private ExampleFiles() {}

    /** Compares the files that a page shows with those of an example, as `urom plugin new` writes them. */
    static void requireShown(MarkdownPage page, String example) {
        var shown = 0;
        for (var block : page.blocks()) {
            var file = Command.ROOT.resolve("examples").resolve(example).resolve(block.file());
            if (!block.file().isEmpty() && Files.exists(file)) {
                assertEquals(text(file), block.text(), block.file());
                shown++;
            }
        }
        assertNotEquals(0, shown);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).replaceFirst("^(//|/\\*) SPDX.*\n", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

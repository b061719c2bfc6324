// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs the program of the page about calls. */
class CallsPageTest {

    private static final String PAGE = "docs/calls.md";

    @TempDir
    private Path folder;

    @Test
    void its_program_prints_what_the_page_shows() throws IOException {
        MarkdownPage.of(PAGE).writeFiles(folder);
        var classPath = folder.resolve("classes") + ":" + Command.CLASS_PATH;
        var bin = Path.of(System.getProperty("java.home"), "bin");
        Command.run(
                "bash",
                "-c",
                "'%s/javac' --release 22 -d '%s/classes' -cp '%s' '%2$s'/*.java".formatted(bin, folder, classPath));

        var output = Command.run(
                "bash",
                "-c",
                "'%s/java' --enable-native-access=ALL-UNNAMED -cp '%s' Calls 2>/dev/null".formatted(bin, classPath));

        assertTrue(Files.readString(Command.ROOT.resolve(PAGE)).contains(" Calls\n" + output + "```\n"), output);
    }
}

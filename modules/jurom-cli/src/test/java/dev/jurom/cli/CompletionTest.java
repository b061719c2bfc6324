// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionTest {

    @TempDir
    private Path folder;

    /** Returns the completions that bash offers for the last of some words. */
    private List<String> offered(Path script, String... words) {
        var quoted = "'" + String.join("' '", words) + "'";
        return Command.run(
                        "bash",
                        "-c",
                        "source " + script + "; COMP_WORDS=(" + quoted
                                + "); COMP_CWORD=" + (words.length - 1)
                                + "; _complete_" + words[0] + "; printf '%s\\n' \"${COMPREPLY[@]}\"")
                .lines()
                .toList();
    }

    @Test
    void bash_completes_commands_and_options() throws IOException {
        var result = Programs.urom("completion");
        var script = Files.writeString(folder.resolve("completion"), result.output());

        assertEquals(0, result.exitCode());
        assertEquals(List.of("doctor"), offered(script, "urom", "doc"));
        assertEquals(List.of("rescan"), offered(script, "urom", "service", "re"));
        assertEquals(List.of("new"), offered(script, "urom", "plugin", "ne"));
        assertTrue(offered(script, "urom", "plugin", "new", "--").containsAll(List.of("--java", "--c")));
        assertTrue(offered(script, "urom", "ping", "--")
                .containsAll(List.of("--interval", "--size", "--service", "--svg", "--json", "--debug")));
        assertTrue(offered(script, "urom-daemon", "--log-")
                .containsAll(List.of("--log-dir", "--log-files", "--log-size")));
    }
}

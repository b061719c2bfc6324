// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ranks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.MarkdownPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the page about ranks, and the examples that it shows, each in two processes. */
class RanksPageTest {

    private static final MarkdownPage PAGE = MarkdownPage.of("docs/ranks.md");

    @TempDir
    private Path folder;

    /** Executes a command of the page in a folder with its programs. */
    private String run(String command) throws IOException {
        PAGE.writeFiles(folder);
        var examples = folder.resolve("examples");
        var target = Files.createDirectory(examples.resolve("target"));
        Files.writeString(target.resolve("classpath"), Command.CLASS_PATH);
        var token = Files.writeString(target.resolve("token"), "0123456789abcdef");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        return Command.run(
                "env",
                "PATH=" + Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH"),
                "bash",
                "-euo",
                "pipefail",
                "-c",
                "cd '" + examples + "'\n" + command.replace("9000", freePort()));
    }

    private static String freePort() throws IOException {
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(probe.getLocalPort());
        }
    }

    @Test
    void two_processes_greet_each_other() throws IOException {
        var output = run(PAGE.fragments("sh").get(0));

        assertTrue(output.contains("rank 0 received: hello from rank 1\n"), output);
        assertTrue(output.contains("rank 1 received: hello from rank 0\n"), output);
    }

    @Test
    void one_process_writes_to_the_memory_of_another() throws IOException {
        var output = run(PAGE.fragments("sh").get(1));

        assertTrue(output.contains("the journal: opened, written, and 2 lines by count\n"), output);
    }

    @Test
    void the_programs_and_commands_are_those_of_the_examples() throws IOException {
        var programs =
                PAGE.blocks().stream().filter(block -> !block.file().isEmpty()).toList();
        for (var program : programs) {
            var source = Files.readString(Command.ROOT.resolve(program.file()));
            assertEquals(source.substring(source.indexOf('\n') + 1), program.text(), program.file());
        }
        assertEquals(2, programs.size());
        for (var i = 0; i < programs.size(); i++) {
            var readme = Path.of(programs.get(i).file()).resolveSibling("README.md");
            assertEquals(
                    PAGE.fragments("sh").get(i),
                    MarkdownPage.of(readme.toString()).fragments("sh").getFirst());
        }
    }
}

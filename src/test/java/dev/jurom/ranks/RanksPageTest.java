// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ranks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.MarkdownPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the programs of the page about ranks, each in two processes. */
class RanksPageTest {

    private static final MarkdownPage PAGE = MarkdownPage.of("docs/ranks.md");

    @TempDir
    private Path folder;

    /** Executes code blocks of the page in a folder with its files. */
    private String run(List<String> steps) throws IOException {
        PAGE.writeFiles(folder);
        var port = freePort();
        for (var name : List.of("Greet.java", "Journal.java")) {
            var source = folder.resolve(name);
            Files.writeString(source, Files.readString(source).replace("9000", port));
        }
        Files.writeString(folder.resolve("classpath"), Command.CLASS_PATH);
        return Command.run(
                "env",
                "JDK_JAVAC_OPTIONS=--release 22",
                "PATH=" + Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH"),
                "bash",
                "-euo",
                "pipefail",
                "-c",
                "cd '" + folder + "'\n" + String.join("", steps));
    }

    @Test
    void one_process_writes_to_the_memory_of_another() throws IOException {
        Files.writeString(folder.resolve("token"), "0123456789abcdef");
        Files.setPosixFilePermissions(folder.resolve("token"), PosixFilePermissions.fromString("rw-------"));

        var output = run(PAGE.fragments("sh").subList(2, 3));

        assertTrue(output.contains("the journal: opened, written, and 2 lines by count\n"), output);
    }

    @Test
    void two_processes_greet_each_other() throws IOException {
        var output = run(PAGE.fragments("sh").subList(0, 2));

        assertTrue(output.contains("rank 0 received: hello from rank 1\n"), output);
        assertTrue(output.contains("rank 1 received: hello from rank 0\n"), output);
    }

    private static String freePort() throws IOException {
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(probe.getLocalPort());
        }
    }
}

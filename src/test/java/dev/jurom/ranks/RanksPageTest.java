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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the page about ranks, in two processes. */
class RanksPageTest {

    @Test
    void two_processes_greet_each_other(@TempDir Path folder) throws IOException {
        var page = MarkdownPage.of("docs/ranks.md");
        page.writeFiles(folder);
        var source = folder.resolve("Greet.java");
        var library = Command.ROOT.resolve("target/classes").toString();
        Files.writeString(source, Files.readString(source).replace("9000", freePort()));
        Files.writeString(folder.resolve("classpath"), library + ":" + Command.SOFTWARE);

        var output = Command.run("env", "PATH="
                + Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH"),
                "bash", "-euo", "pipefail", "-c", "cd '" + folder + "'\n"
                + "javac --release 22 -cp \"$(cat classpath)\" Greet.java\n"
                + page.fragments("sh").getFirst());

        assertTrue(output.contains("rank 0 heard: hello from rank 1\n"), output);
        assertTrue(output.contains("rank 1 heard: hello from rank 0\n"), output);
    }

    private static String freePort() throws IOException {
        try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Integer.toString(probe.getLocalPort());
        }
    }
}

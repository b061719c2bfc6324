// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyCommandTest {

    @TempDir
    private Path folder;

    @Test
    void it_makes_keys_and_replaces_none() throws IOException {
        var file = folder.resolve("key");
        var output = Command.run(Programs.uromWords("key", "create", file.toString(), "--name",
                "node1"));

        assertTrue(output.startsWith("-----BEGIN CERTIFICATE-----\n"), output);
        assertTrue(Files.readString(file).endsWith(output));
        var again = Programs.urom("key", "create", file.toString(), "--name", "node1");
        assertNotEquals(0, again.exitCode());
        assertTrue(again.output().contains("exists already"), again.output());
        assertEquals(List.of(), again.output().lines()
                .filter(line -> line.contains("\tat ")).toList());
    }
}

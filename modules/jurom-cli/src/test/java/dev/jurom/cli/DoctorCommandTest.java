// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {

    private static final String SERVICE_FILE = "DOCA_UROM_SERVICE_FILE";

    @TempDir
    private Path folder;

    @Test
    void without_a_service_all_is_looked_at_up_to_a_command_there_and_back() {
        var result = Programs.uromFrom(Map.of(), "doctor");

        assertEquals(ExitCode.DONE, result.exitCode(), result::output);
        for (var name : List.of(
                "JDK",
                "native access",
                "memfd",
                "shared memory",
                "cores",
                "DOCA",
                "huge pages",
                "devices",
                "service",
                "CPUs",
                "plugins",
                "command")) {
            assertTrue(
                    result.output().lines().anyMatch(line -> line.matches("(pass|warn)  " + name + " .*")),
                    name + "\n" + result.output());
        }
        assertFalse(result.output().contains("\033"), result::output); // no terminal, no colours
    }

    @Test
    void a_service_that_is_named_is_looked_at_with_its_file_and_its_owner() {
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            var result = Programs.uromFrom(
                    Map.of(SERVICE_FILE, folder.resolve("services").toString()), "doctor", "--json");

            assertEquals(ExitCode.DONE, result.exitCode(), result::output);
            assertTrue(result.output().contains(folder.resolve("services") + ", line 1: leads"), result::output);
            assertTrue(
                    result.output().contains("is that of user " + System.getProperty("user.name") + ", process "),
                    result::output);
        }
    }

    @Test
    void an_address_at_which_nothing_listens_fails_once() {
        var result = Programs.uromFrom(Map.of(), "doctor", "--service", "unix:" + folder.resolve("none"));

        assertEquals(ExitCode.FOUND_WRONG, result.exitCode(), result::output);
        assertEquals(
                List.of("fail  service        there is no " + folder.resolve("none")
                        + ": start the service with urom-daemon --listen unix:" + folder.resolve("none")),
                result.output().lines().filter(line -> line.startsWith("fail")).toList());
        assertTrue(result.output().endsWith("\n1 checks fail.\n"), result::output);
    }

    @Test
    void what_is_wrong_fails_with_the_way_out() throws IOException {
        var services =
                Files.writeString(folder.resolve("services"), "localhost dpu 127.0.0.1:1 0000:00:00.0 all\nbroken\n");
        var key = Files.writeString(folder.resolve("key"), "no key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

        var result = Programs.uromFrom(
                Map.of(SERVICE_FILE, services.toString(), "DOCA_UROM_KEY_FILE", key.toString()), "doctor");

        assertEquals(ExitCode.FOUND_WRONG, result.exitCode(), result::output);
        assertTrue(result.output().contains("fail  service file   127.0.0.1:1 cannot be reached"), result::output);
        assertTrue(
                result.output().contains("fail  service file   " + services + ", line 2: the number of words is 1"),
                result::output);
        assertTrue(result.output().contains("fail  key            " + key + " is open to others"), result::output);
        assertTrue(result.output().contains("fix: chmod 600 " + key), result::output);
    }

    @Test
    void a_library_that_does_not_load_is_named_and_nothing_more_is_looked_at() {
        var result = Programs.run(Map.of("JDK_JAVA_OPTIONS", "-Djurom.runtime=vendor"), Programs.uromWords("doctor"));

        assertEquals(ExitCode.FOUND_WRONG, result.exitCode(), result::output);
        assertTrue(
                result.output()
                        .contains("fail  DOCA           jurom.runtime is \"vendor\" and" + " there is no libdoca_urom"),
                result::output);
        assertFalse(result.output().contains("plugins"), result::output);
    }
}

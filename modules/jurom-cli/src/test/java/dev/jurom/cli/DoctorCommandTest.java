// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.fixture.Command;
import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {

    private static final String SERVICE_FILE = "DOCA_UROM_SERVICE_FILE";

    @TempDir
    private Path folder;

    @Test
    void without_a_service_all_checks_run_up_to_a_round_trip() {
        var result = Programs.uromFrom(Map.of(), "doctor");

        assertEquals(ExitCode.DONE, result.exitCode(), result::output);
        for (var name : List.of(
                "JDK",
                "native access",
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
    void a_named_service_is_checked_with_its_file_and_its_owner() {
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            var result = Programs.uromFrom(
                    Map.of(SERVICE_FILE, folder.resolve("services").toString()), "doctor", "--json");

            assertEquals(ExitCode.DONE, result.exitCode(), result::output);
            assertTrue(result.output().contains(folder.resolve("services") + ", line 1: maps"), result::output);
            assertTrue(
                    result.output().contains("belongs to user " + System.getProperty("user.name") + ", process "),
                    result::output);
        }
    }

    @Test
    void a_service_outside_the_user_namespace_is_trusted_only_as_the_user_of_the_variable() {
        assumeTrue(
                Command.execute(List.of("unshare", "--user", "true")).exitCode() == 0,
                "no user namespace can be created");
        try (var daemon = DaemonProgram.listening(folder, Map.of(), "--allow-namespaces")) {
            var words = new ArrayList<>(List.of("unshare", "--user"));
            words.addAll(Programs.uromWords(
                    "doctor", "--service", folder.resolve("services").toString()));

            var cache = Map.of("XDG_CACHE_HOME", folder.toString());
            var rejected = Programs.run(cache, words);
            var environment = new HashMap<>(cache);
            environment.put("JUROM_SERVICE_USER", "65534");
            var accepted = Programs.run(environment, words);

            assertEquals(ExitCode.FOUND_WRONG, rejected.exitCode(), rejected::output);
            assertTrue(rejected.output().contains("fail  service        unix:"), rejected::output);
            assertTrue(rejected.output().contains("fix: set JUROM_SERVICE_USER=65534"), rejected::output);
            // A worker of this user has no number in that namespace either, so the command still fails.
            assertTrue(accepted.output().contains("pass  service        unix:"), accepted::output);
            assertTrue(accepted.output().contains("pass  plugins "), accepted::output);
        }
    }

    @Test
    void a_service_at_an_address_is_used_without_a_temporary_file() throws IOException {
        var temporary = Files.createDirectory(folder.resolve("temporary"));
        try (var daemon = DaemonProgram.listening(folder, Map.of());
                var watched = FileSystems.getDefault().newWatchService()) {
            temporary.register(watched, StandardWatchEventKinds.ENTRY_CREATE);

            var result = Programs.uromFrom(
                    Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary),
                    "plugins",
                    "--service",
                    "unix:" + folder.resolve("socket"));

            assertEquals(ExitCode.DONE, result.exitCode(), result::error);
            assertTrue(result.output().contains("worker_graph"), result::output);
            var created = watched.poll();
            assertEquals(List.of(), created == null ? List.of() : created.pollEvents());
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
        assertTrue(result.output().endsWith("\n1 check fails.\n"), result::output);
    }

    @Test
    void failed_checks_name_a_fix() throws IOException {
        var services =
                Files.writeString(folder.resolve("services"), "localhost dpu unix:/none 0000:00:00.0 all\nbroken\n");
        var key = Files.writeString(folder.resolve("key"), "no key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

        var result = Programs.uromFrom(
                Map.of(SERVICE_FILE, services.toString(), "DOCA_UROM_KEY_FILE", key.toString()), "doctor");

        assertEquals(ExitCode.FOUND_WRONG, result.exitCode(), result::output);
        assertTrue(result.output().contains("fail  service file   there is no /none"), result::output);
        assertTrue(
                result.output().contains("fail  service file   " + services + ", line 2: the number of words is 1"),
                result::output);
        assertTrue(result.output().contains("fail  key            " + key + " is open to others"), result::output);
        assertTrue(result.output().contains("fix: chmod 600 " + key), result::output);
    }

    @Test
    void a_remote_address_at_which_nothing_listens_fails_once() throws IOException {
        var services = Files.writeString(folder.resolve("services"), "localhost dpu 127.0.0.1:1 0000:00:00.0 all\n");
        var key = folder.resolve("key");
        KeyPairFile.create(key, "host");
        Files.writeString(key, KeyPairFile.create(folder.resolve("service.key"), "service"), StandardOpenOption.APPEND);

        var result = Programs.uromFrom(
                Map.of(SERVICE_FILE, services.toString(), "DOCA_UROM_KEY_FILE", key.toString()), "doctor");

        assertEquals(ExitCode.FOUND_WRONG, result.exitCode(), result::output);
        var failures =
                result.output().lines().filter(line -> line.startsWith("fail")).toList();
        assertEquals(1, failures.size(), result::output);
        assertTrue(
                failures.getFirst().contains("127.0.0.1 port 1 cannot be reached: Connection refused."),
                result::output);
    }

    @Test
    void a_library_that_does_not_load_is_named_and_ends_the_checks() {
        var result = Programs.run(Map.of("JDK_JAVA_OPTIONS", "-Djurom.runtime=vendor"), Programs.uromWords("doctor"));

        assertEquals(ExitCode.FOUND_WRONG, result.exitCode(), result::output);
        assertTrue(
                result.output()
                        .contains("fail  DOCA           jurom.runtime is \"vendor\" and" + " there is no libdoca_urom"),
                result::output);
        assertFalse(result.output().contains("plugins"), result::output);
    }
}

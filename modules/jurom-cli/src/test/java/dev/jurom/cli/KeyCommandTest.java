// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.fixture.Command;
import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyCommandTest {

    @TempDir
    private Path folder;

    @Test
    void it_makes_keys_and_replaces_none() throws IOException {
        var file = folder.resolve("key");
        var output = Command.run(Programs.uromWords("key", "create", file.toString(), "--name", "node1"));

        assertTrue(output.startsWith("-----BEGIN CERTIFICATE-----\n"), output);
        assertTrue(Files.readString(file).endsWith(output));
        var again = Programs.urom("key", "create", file.toString(), "--name", "node1");
        assertNotEquals(0, again.exitCode());
        assertTrue(again.output().contains("exists already"), again.output());
        assertEquals(
                List.of(),
                again.output().lines().filter(line -> line.contains("\tat ")).toList());
    }

    private String create(Path file, String name) throws IOException {
        return KeyPairFile.create(file, name);
    }

    private String fingerprintOf(String certificate) throws IOException {
        var file = Files.writeString(folder.resolve("certificate"), certificate);
        var line = Command.run("openssl", "x509", "-noout", "-fingerprint", "-sha256", "-in", file.toString())
                .strip();
        return line.substring(line.indexOf('=') + 1).replace(":", "").toLowerCase(Locale.ROOT);
    }

    @Test
    void it_lists_certificates_with_the_fingerprints_that_openssl_prints() throws IOException {
        var key = folder.resolve("key");
        var own = create(key, "node1");
        var service = create(folder.resolve("service"), "dpu");
        Files.writeString(key, service, StandardOpenOption.APPEND);
        var hosts = Files.writeString(folder.resolve("hosts"), "# one\naccount: ada\n" + own);

        assertEquals(
                fingerprintOf(own) + "\n",
                Programs.uromHere("key", "fingerprint", key.toString()).output());
        var listed = Programs.uromHere("key", "list", key.toString()).output();
        assertTrue(
                listed.matches("(?s).*own +- +CN=node1 +" + fingerprintOf(own) + "\n.*known +- +CN=dpu +"
                        + fingerprintOf(service) + "\n"),
                listed);
        var authorized = Programs.uromHere("key", "list", hosts.toString()).output();
        assertTrue(authorized.matches("(?s).*3 +known +ada +CN=node1 +" + fingerprintOf(own) + "\n"), authorized);
        var none = Programs.uromHere(
                "key",
                "list",
                Files.writeString(folder.resolve("none"), "\u00e4").toString());
        assertEquals(ExitCode.FILE, none.exitCode(), none.error());
        assertTrue(none.error().contains("none has no certificate"), none.error());
    }

    @Test
    void a_key_file_without_the_certificate_of_the_service_is_named() throws IOException {
        var key = folder.resolve("key");
        create(key, "node1");
        try (var listener = new ServerSocket(0)) {
            var result = Programs.uromFrom(
                    Map.of("DOCA_UROM_KEY_FILE", key.toString()),
                    "ping",
                    "-n",
                    "1",
                    "--service",
                    "localhost:" + listener.getLocalPort());

            assertEquals(ExitCode.FILE, result.exitCode(), result.error());
            assertTrue(
                    result.error().contains(key + " is not usable: the file has no certificate of a service"),
                    result.error());
            assertFalse(result.error().contains("has no line for this host"), result.error());
        }
    }

    @Test
    void a_key_file_that_is_missing_or_has_no_key_is_a_failure_of_a_file() throws IOException {
        var missing = folder.resolve("missing");
        var garbage = Files.write(folder.resolve("garbage"), new byte[] {(byte) 0xff, 1, 2});
        var open = Files.write(folder.resolve("open"), new byte[] {1});
        for (var file : List.of(garbage, open)) {
            Files.setPosixFilePermissions(
                    file, PosixFilePermissions.fromString(file.equals(open) ? "rw-r--r--" : "rw-------"));
        }
        try (var listener = new ServerSocket(0)) {
            assertFailure(ExitCode.FILE, "The key file " + missing + " cannot be opened", missing, listener);
            assertFailure(ExitCode.FILE, "The key file " + garbage + " is not usable", garbage, listener);
            assertFailure(ExitCode.NOT_PERMITTED, "The key file " + open + " is not used", open, listener);
        }
    }

    private static void assertFailure(int exitCode, String text, Path key, ServerSocket listener) {
        var result = Programs.uromFrom(
                Map.of("DOCA_UROM_KEY_FILE", key.toString()),
                "ping",
                "-n",
                "1",
                "--service",
                "localhost:" + listener.getLocalPort());

        assertEquals(exitCode, result.exitCode(), result.error());
        assertTrue(result.error().contains(text), result.error());
    }
}

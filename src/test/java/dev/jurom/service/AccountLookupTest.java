// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.PublicInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lookups of accounts and groups in a service whose {@code getent} fails. */
class AccountLookupTest {

    private static final String SLOW = "#!/bin/sh\nexec sleep 60\n";

    @TempDir
    private Path folder;

    private Path prefix;

    @BeforeEach
    void requireOtherUsers() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        prefix = PublicInstallation.in(folder);
    }

    private void makeGetent(String text, String mode) throws IOException {
        var program =
                Files.writeString(Files.createDirectories(folder.resolve("bin")).resolve("getent"), text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString(mode));
    }

    private DaemonProcess start(String... options) {
        var words = new ArrayList<>(List.of(
                "--listen",
                "unix:" + folder.resolve("socket"),
                "--worker",
                prefix.resolve("bin/urom_worker").toString()));
        words.addAll(List.of(options));
        return new DaemonProcess(
                folder,
                Map.of(
                        "PATH",
                        folder.resolve("bin") + ":" + System.getenv("PATH"),
                        "UROM_PLUGIN_PATH",
                        prefix.resolve("lib/urom_plugins").toString()),
                words.toArray(String[]::new));
    }

    @Test
    void an_account_that_cannot_be_looked_up_invalidates_its_entries_alone() throws IOException {
        makeGetent(SLOW, "rwxr-xr-x");
        var keys = new TestKeys(folder);
        keys.create("service");
        keys.authorize(
                "account: slow",
                keys.create("first"),
                "account: daemon",
                keys.create("second"),
                "# the same account",
                "account: slow",
                keys.create("third"));

        try (var daemon = start(
                "--listen",
                "127.0.0.1:0",
                "--key",
                keys.file("service").toString(),
                "--authorized-hosts",
                keys.file("hosts").toString())) {
            daemon.address();

            var errors = daemon.error();
            assertTrue(errors.contains("hosts, line 1: `getent passwd slow` has not answered within 5 s"), errors);
            assertEquals(3, errors.split("has not answered", -1).length, errors);
            assertTrue(errors.contains("and 1 hosts of other machines"), errors);
        }
    }
}

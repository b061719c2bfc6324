// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Account;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Frame;
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

/** Lookups of accounts and groups in a service whose {@code getent} or {@code id} fails. */
class AccountLookupTest {

    private static final String SLOW = "#!/bin/sh\nexec sleep 60\n";
    private static final String NO_PROGRAM = "#!/no/such/interpreter\n";

    @TempDir
    private Path folder;

    private Path prefix;

    @BeforeEach
    void requireOtherUsers() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        prefix = PublicInstallation.in(folder);
    }

    /** Makes a program that the service finds first. */
    private void makeProgram(String name, String text) throws IOException {
        var program =
                Files.writeString(Files.createDirectories(folder.resolve("bin")).resolve(name), text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private DaemonProcess start(String... options) {
        return start(List.of(), options);
    }

    private DaemonProcess start(List<String> before, String... options) {
        var words = new ArrayList<>(List.of(
                "--listen",
                "unix:" + folder.resolve("socket"),
                "--worker",
                prefix.resolve("bin/urom_worker").toString()));
        words.addAll(List.of(options));
        return new DaemonProcess(
                folder,
                before,
                Map.of(
                        "PATH",
                        folder.resolve("bin") + ":" + System.getenv("PATH"),
                        "UROM_PLUGIN_PATH",
                        prefix.resolve("lib/urom_plugins").toString()),
                words.toArray(String[]::new));
    }

    @Test
    void an_account_that_cannot_be_looked_up_invalidates_only_its_entries() throws IOException {
        makeProgram("getent", SLOW);
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

    @Test
    void a_group_that_cannot_be_looked_up_in_time_prevents_the_start_of_the_service() throws IOException {
        makeProgram("getent", SLOW);

        try (var daemon = start("--group", "jurom-directory")) {
            daemon.awaitEnd();

            var errors = daemon.error();
            assertTrue(errors.contains("`getent group jurom-directory` has not answered within 5 s"), errors);
        }
    }

    @Test
    void a_group_is_not_missing_because_getent_cannot_be_run() throws IOException {
        makeProgram("getent", NO_PROGRAM);
        var path = List.of("env", "PATH=" + folder.resolve("bin")); // else another getent is run

        try (var daemon = start(path, "--group", "jurom-directory")) {
            daemon.awaitEnd();

            var errors = daemon.error();
            assertTrue(errors.contains("`getent group jurom-directory` cannot be run: "), errors);
            assertFalse(errors.contains("does not exist"), errors);
        }
    }

    @Test
    void a_host_receives_an_error_if_its_groups_cannot_be_looked_up_in_time() throws IOException {
        assumeTrue(ForeignHost.isPossible(), "there is no setpriv, or no perl");
        makeProgram("id", SLOW);

        try (var daemon = start("--group", "daemon")) {
            daemon.address();
            var games = Account.named("games").orElseThrow().userId();
            try (var host = new ForeignHost(games, new ListenAddress.Unix(folder.resolve("socket")))) {
                host.hello();

                var refusal = assertInstanceOf(Frame.Failure.class, host.receive());
                assertEquals(DocaError.AGAIN, refusal.error());
                assertTrue(refusal.text().contains("`id -G -- games` has not answered within 5 s"), refusal.text());
            }
        }
    }

    /** Directory services answer with the canonical form of a name. */
    @Test
    void the_canonical_form_of_a_name_is_accepted_and_an_id_is_no_name() throws IOException {
        makeProgram("getent", """
                #!/bin/sh
                case $1:$2 in
                passwd:Ada@EXAMPLE.COM) echo 'ada@example.com:*:70001:70001:Ada:/home/ada:/bin/sh' ;;
                passwd:GRACE) echo 'grace:*:70002:70002:Grace:/home/grace:/bin/sh' ;;
                passwd:70001) echo 'ada@example.com:*:70001:70001:Ada:/home/ada:/bin/sh' ;;
                group:Engineers@EXAMPLE.COM) echo 'engineers@example.com:*:70003:' ;;
                *) exit 2 ;;
                esac
                """);
        var keys = new TestKeys(folder);
        keys.create("service");
        keys.authorize(
                "account: Ada@EXAMPLE.COM",
                keys.create("first"),
                "account: GRACE",
                keys.create("second"),
                "account: 70001",
                keys.create("third"));

        try (var daemon = start(
                "--group",
                "Engineers@EXAMPLE.COM",
                "--listen",
                "127.0.0.1:0",
                "--key",
                keys.file("service").toString(),
                "--authorized-hosts",
                keys.file("hosts").toString())) {
            daemon.address();

            var errors = daemon.error();
            assertTrue(errors.contains("and 2 hosts of other machines"), errors);
            assertTrue(errors.contains("70001"), errors);
        }
    }
}

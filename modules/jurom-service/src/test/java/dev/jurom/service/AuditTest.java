// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Account;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.status.RemoteSession;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the audit log and the status contain the user, the origin and the duration of each session. */
class AuditTest {

    private static final Account DAEMON = Account.named("daemon").orElseThrow();
    private static final int LOCAL_LINES = 60; // of one user in a minute

    private static final Pattern REMOTE = Pattern.compile(".*\\[INF\\]\\[AUDIT\\] (begin|end) user=daemon uid="
            + DAEMON.userId() + " certificate=([0-9a-f]{64}) address=127\\.0\\.0\\.1:\\d+ session=(\\d+)"
            + "(?: seconds=(\\d+\\.\\d+) workers=(\\S+) reason=\"([^\"]*)\")?");

    @TempDir
    private Path folder;

    private TestKeys keys;
    private ListenAddress.Unix local;
    private UromDaemon daemon;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        keys = new TestKeys(Files.createDirectory(folder.resolve("keys")));
        keys.create("service");
        keys.authorize("account: daemon", keys.create("known"));
        var prefix = PublicInstallation.in(folder);
        local = new ListenAddress.Unix(folder.resolve("socket"));
        var configuration = DaemonConfiguration.builder(
                        prefix.resolve("bin/urom_worker"), List.of(prefix.resolve("lib/urom_plugins")))
                .users(DaemonConfiguration.Users.ALL)
                .remote(RemoteAccess.of(keys.file("service"), keys.file("hosts")))
                .listen(ListenAddress.parse("127.0.0.1:0"), local)
                .logs(LogSettings.DEFAULT.withDirectory(folder.resolve("log"))) // level WARNING
                .build();
        daemon = UromDaemon.open(
                configuration, ServiceLog.toFile(folder.resolve("log"), configuration.logs()), TestDaemon.LONG);
    }

    @AfterEach
    void end() {
        if (daemon != null) {
            daemon.close();
        }
    }

    private TestHost remote() throws IOException {
        return TestHost.admitted(keys.connect(daemon.address(), "known"));
    }

    private List<String> lines(String text) {
        try (var lines = Files.lines(folder.resolve("log").resolve(LogSettings.AUDIT_FILE_NAME))) {
            return lines.filter(line -> line.contains(text)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<RemoteSession> sessions() {
        return ServiceStatus.running().stream()
                .filter(status -> status.directory().equals(daemon.directory()))
                .findFirst()
                .orElseThrow()
                .remoteSessions();
    }

    /** Requires that the log has a line at the start and one at the end of each session, and returns the latter. */
    private String assertPair(String session) {
        Waiting.until(
                "the end is logged",
                () -> !lines("session=" + session + " seconds=").isEmpty());
        var begin = REMOTE.matcher(lines("begin user=daemon").stream()
                .filter(line -> line.endsWith("session=" + session))
                .findFirst()
                .orElseThrow());
        var end = REMOTE.matcher(lines("session=" + session + " seconds=").getFirst());
        assertTrue(
                begin.matches() && end.matches(),
                () -> lines("session=" + session).toString());
        assertEquals(begin.group(2), end.group(2));
        return lines("session=" + session + " seconds=").getFirst();
    }

    @Test
    void the_log_has_the_certificate_the_address_the_workers_and_the_reason_of_each_session() throws IOException {
        var endings = List.<Consumer<TestHost>>of(TestHost::close, host -> host.trySend(new byte[64]), host -> {
            keys.authorize("# none");
            daemon.reload();
        });
        var reasons = List.of("disconnected", "The frame is malformed", "is no longer authorized");
        for (var i = 0; i < endings.size(); i++) {
            try (var host = remote()) {
                host.spawn(5, 1, OptionalInt.empty(), List.of());
                host.receive(Frame.Spawned.class);
                host.spawn(7, 1, OptionalInt.empty(), List.of());
                host.receive(Frame.Spawned.class);
                endings.get(i).accept(host);

                var line = assertPair(Integer.toString(i + 1));
                assertTrue(line.contains(" workers=5,7 "), line);
                assertTrue(line.contains(reasons.get(i)), line);
            }
        }
    }

    @Test
    void a_session_that_the_end_of_the_service_ends_is_logged() throws IOException {
        try (var host = remote()) {
            daemon.close();

            assertTrue(assertPair("1").endsWith("reason=\"the service has ended\""));
            host.awaitLost();
        }
    }

    @Test
    void many_sessions_of_a_local_user_are_summarised_and_remote_ones_never() throws IOException {
        var times = LOCAL_LINES + 20;
        var begin = System.nanoTime();
        for (var i = 0; i < times; i++) {
            TestHost.admitted(new TestHost(local)).close();
            remote().close();
        }
        daemon.close();
        assumeTrue(System.nanoTime() - begin < Duration.ofMinutes(1).toNanos(), "a minute has passed");

        for (var event : List.of("begin", "end")) {
            assertEquals(times, lines("] " + event + " user=daemon").size());
            assertEquals(
                    LOCAL_LINES,
                    lines("] " + event + " user=root uid=0 address=local").size());
        }
        assertEquals(
                1,
                lines("Sessions that have begun within a minute: 20 more from user 0")
                        .size());
        assertEquals(
                1,
                lines("Sessions that have ended within a minute: 20 more from user 0")
                        .size());
    }

    @Test
    void the_status_lists_connected_remote_hosts() throws IOException {
        try (var host = remote()) {
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);

            Waiting.until("the status has the host", () -> sessions().stream().anyMatch(it -> it.references() == 1));
            var session = sessions().getFirst();
            assertEquals(DAEMON.userId(), session.userId());
            assertTrue(session.address().startsWith("127.0.0.1:"), session::toString);
            assertTrue(assertBegun().contains("certificate=" + session.fingerprint()), session::toString);
        }
        Waiting.until("it is removed", () -> sessions().isEmpty());
    }

    private String assertBegun() {
        return lines("begin user=daemon").getFirst();
    }
}

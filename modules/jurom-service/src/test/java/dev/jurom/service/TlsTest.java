// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Account;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.wire.Release;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests hosts of other machines: which are accepted, and which workers they may start. */
class TlsTest {

    private static final ListenAddress ANYWHERE = ListenAddress.parse("127.0.0.1:0");
    private static final Account DAEMON = Account.named("daemon").orElseThrow();

    private static final int UNAUTHORIZED = 40;
    private static final int MAX_LOGGED = 10; // in a minute

    @TempDir
    private Path folder;

    private TestKeys keys;
    private String known;

    @BeforeEach
    void makeKeys() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        keys = new TestKeys(Files.createDirectory(folder.resolve("keys")));
        keys.create("service");
        known = keys.create("known");
        keys.authorize("# hosts", "account: daemon", known);
    }

    private DaemonConfiguration.Builder configuration() throws IOException {
        var prefix = PublicInstallation.in(folder);
        return configuration(prefix.resolve("bin/urom_worker"), prefix.resolve("lib/urom_plugins"));
    }

    private DaemonConfiguration.Builder configuration(Path program, Path plugins) {
        return DaemonConfiguration.builder(program, List.of(plugins))
                .users(DaemonConfiguration.Users.ALL)
                .remote(remote())
                .listen(ANYWHERE);
    }

    private RemoteAccess remote() {
        return RemoteAccess.of(keys.file("service"), keys.file("hosts")).withAllowedVariables(Set.of("JOB"));
    }

    private UromDaemon start() throws IOException {
        return TestDaemon.start(configuration(), folder.resolve("log"));
    }

    private TestHost admitted(UromDaemon daemon) throws IOException {
        return TestHost.admitted(keys.connect(daemon.address(), "known"));
    }

    @Test
    void an_authorized_host_gets_workers_that_run_as_its_account_and_listen_on_tcp() throws IOException {
        try (var daemon = start();
                var host = admitted(daemon)) {
            host.spawnAny(1);
            var spawned = host.receive(Frame.Spawned.class);

            assertTrue(spawned.address().matches("tcp:[0-9]{1,5}"), spawned.address());
            assertEquals(DAEMON.userId(), Files.getAttribute(Path.of("/proc/" + spawned.processId()), "unix:uid"));
            var port = Integer.parseInt(spawned.address().substring("tcp:".length()));
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port));
            }
        }
    }

    @Test
    void unauthorized_hosts_do_not_hide_the_errors_of_others() throws IOException {
        try (var daemon = start();
                var host = admitted(daemon)) {
            for (var i = 0; i < UNAUTHORIZED; i++) {
                var name = "stranger-" + (char) ('A' + i);
                keys.create(name);
                try (var stranger = keys.connect(daemon.address(), name)) {
                    stranger.trySend(PeerFrames.encode(new Frame.Hello(1, 4096, Release.CURRENT)));
                    stranger.awaitLost();
                }
            }
            host.spawnAny(0);
            host.receive(Frame.Failure.class);

            var errors = CounterFile.read(daemon.directory().resolve("daemon.counters"))
                    .errors();
            assertTrue(
                    errors.stream().anyMatch(error -> error.text().contains("INVALID_VALUE")),
                    () -> errors.size() + " errors: " + errors.getLast());
        }
    }

    @Test
    void the_log_contains_few_unauthorized_hosts_within_a_minute() throws IOException {
        keys.create("stranger");
        var begin = System.nanoTime();
        try (var daemon = start()) {
            for (var i = 0; i < MAX_LOGGED + 1; i++) {
                try (var stranger = keys.connect(daemon.address(), "stranger")) {
                    stranger.trySend(PeerFrames.encode(new Frame.Hello(1, 4096, Release.CURRENT)));
                    stranger.awaitLost();
                }
            }
            Waiting.until(
                    "all are counted",
                    () -> TestDaemon.count(daemon, Counter.DAEMON_AUTHENTICATION_FAILURES) == MAX_LOGGED + 1);

            assumeTrue(System.nanoTime() - begin < Duration.ofMinutes(1).toNanos(), "a minute has passed");
            assertEquals(MAX_LOGGED, lines("is not among").size());
        }
    }

    private List<String> lines(String text) {
        return TestDaemon.logLines(folder.resolve("log"), text);
    }

    @Test
    void connections_beyond_the_limit_are_refused_until_another_one_ends() throws IOException {
        var few = Limits.DEFAULT.withConnections(2, 1);
        var deadlines = TestDaemon.LONG.withEnding(Duration.ofMinutes(1)); // a slow host can read the refusal
        try (var daemon = TestDaemon.start(configuration().limits(few), folder.resolve("log"), deadlines)) {
            try (var first = admitted(daemon);
                    var second = keys.connect(daemon.address(), "known")) {
                var refusal = second.receive(Frame.Failure.class);
                assertEquals(DocaError.FULL, refusal.error(), refusal.text());
                second.awaitLost();
                assertEquals(1, TestDaemon.count(daemon, Counter.DAEMON_LIMITS_HIT));
                assertWorks(first);
            }
            Waiting.until("a connection is free again", () -> isAdmitted(daemon));
        }
    }

    private boolean isAdmitted(UromDaemon daemon) {
        try (var host = keys.connect(daemon.address(), "known")) {
            host.trySend(PeerFrames.encode(new Frame.Hello(1, 4096, Release.CURRENT)));
            return host.receive() instanceof Frame.Welcome;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void an_admitted_host_may_be_silent() throws IOException {
        var soon = Limits.DEFAULT.withHandshakes(64, Duration.ofSeconds(2));
        try (var daemon = TestDaemon.start(configuration().limits(soon), folder.resolve("log"));
                var host = admitted(daemon);
                var silent = beginHandshake(daemon)) {
            silent.awaitLost(); // it connected later, so the handshake deadline of the first host has passed

            assertWorks(host);
        }
    }

    /** Connects and sends the beginning of a TLS handshake. */
    private static TestHost beginHandshake(UromDaemon daemon) throws IOException {
        var socket = new Socket();
        socket.connect(((ListenAddress.Tls) daemon.address()).socket());
        var host = new TestHost(socket, socket.getInputStream(), socket.getOutputStream());
        host.send(new byte[] {22, 3, 1});
        return host;
    }

    @Test
    void closing_the_service_waits_for_no_host() {
        TestDaemon.assertClosesAtOnce(() -> {
            try {
                var limits = Limits.DEFAULT.withHandshakes(64, Duration.ofMinutes(1));
                var deadlines = TestDaemon.LONG.withEnding(Duration.ofMinutes(1));
                var daemon = TestDaemon.start(
                        configuration(TestDaemon.workerProgram(), TestDaemon.plugins())
                                .limits(limits),
                        folder.resolve("log"),
                        deadlines);
                beginHandshake(daemon);
                admitted(daemon).close();
                Waiting.until(
                        "the service removes the session",
                        () -> TestDaemon.count(daemon, Counter.DAEMON_SESSIONS) == 0);
                return daemon;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Test
    void an_unknown_certificate_is_refused_and_its_fingerprint_logged() throws IOException {
        keys.create("unknown");
        var fingerprint =
                KeyPairFile.certificates(keys.file("unknown")).getFirst().fingerprint();
        try (var daemon = start();
                var host = keys.connect(daemon.address(), "unknown")) {
            host.trySend(PeerFrames.encode(new Frame.Hello(1, 4096, Release.CURRENT)));

            host.awaitLost();
            assertThrows(AssertionError.class, host::receive);
            Waiting.until(
                    "the rejection is logged",
                    () -> TestDaemon.log(folder.resolve("log")).contains("is not among"));
            var line = TestDaemon.log(folder.resolve("log"))
                    .lines()
                    .filter(text -> text.contains("is not among"))
                    .findFirst()
                    .orElseThrow();
            assertTrue(
                    line.contains("[WRN]")
                            && line.contains("host 127.0.0.1 port ")
                            && line.contains(fingerprint)
                            && !line.contains("unknown"),
                    line);
        }
    }

    @Test
    void a_host_without_a_certificate_is_rejected() throws IOException {
        try (var daemon = start();
                var host = keys.connect(daemon.address(), null)) {
            host.trySend(PeerFrames.encode(new Frame.Hello(1, 4096, Release.CURRENT)));

            host.awaitLost();
            assertThrows(AssertionError.class, host::receive);
        }
    }

    @Test
    void tls_1_2_is_refused() throws IOException {
        try (var daemon = start();
                var socket = keys.socket(daemon.address(), "known", "TLSv1.2")) {
            assertThrows(IOException.class, socket::startHandshake);
        }
    }

    @Test
    void no_session_is_resumed() throws IOException {
        try (var daemon = start();
                var first = keys.socket(daemon.address(), "known");
                var second = keys.socket(daemon.address(), "known")) {
            first.startHandshake();
            second.startHandshake();

            assertFalse(first.getSession().equals(second.getSession()));
        }
    }

    @Test
    void other_protocols_do_not_disturb() throws IOException {
        try (var daemon = start();
                var host = admitted(daemon)) {
            var address = ((ListenAddress.Tls) daemon.address()).socket();
            for (var greeting : List.of("", "GET / HTTP/1.1\r\n\r\n", "\u0016\u0003\u0001")) {
                try (var socket = new Socket()) {
                    socket.connect(address);
                    socket.getOutputStream().write(greeting.getBytes(StandardCharsets.US_ASCII));
                }
            }
            Waiting.until("HTTP is logged", () -> !lines("did not authenticate").isEmpty());
            assertWorks(host);
        }
    }

    @Test
    void silent_connections_are_displaced_by_hosts_and_closed() throws IOException {
        var few = Limits.DEFAULT.withHandshakes(4, Duration.ofSeconds(2));
        try (var daemon = TestDaemon.start(configuration().limits(few), folder.resolve("log"));
                var first = admitted(daemon)) {
            var silent = new ArrayList<TestHost>();
            for (var i = 0; i < 20; i++) {
                var socket = new Socket();
                socket.connect(((ListenAddress.Tls) daemon.address()).socket());
                silent.add(new TestHost(socket, socket.getInputStream(), socket.getOutputStream()));
            }
            Waiting.within(
                    Duration.ofSeconds(1),
                    "the oldest connections are closed",
                    () -> silent.stream().filter(TestHost::isLost).count() >= 15);
            try (var second = admitted(daemon)) {
                assertWorks(second);
            }

            Waiting.until("all connections are closed", () -> silent.stream().allMatch(TestHost::isLost));
            assertWorks(first);
        }
    }

    @Test
    void a_host_that_is_removed_loses_its_connection_and_its_workers_on_reload() throws IOException {
        var other = keys.create("other");
        keys.authorize("account: daemon", known, "account: games", other);
        try (var daemon = start();
                var removed = admitted(daemon);
                var staying = TestHost.admitted(keys.connect(daemon.address(), "other"))) {
            removed.spawnAny(1);
            var process = removed.receive(Frame.Spawned.class).processId();
            keys.authorize("account: games", other);

            daemon.reload();

            assertEquals(
                    DocaError.NOT_PERMITTED,
                    removed.receive(Frame.Failure.class).error());
            removed.awaitLost();
            TestDaemon.awaitEnd(process);
            assertWorks(staying);
            try (var again = keys.connect(daemon.address(), "known")) {
                again.trySend(PeerFrames.encode(new Frame.Hello(1, 4096, Release.CURRENT)));
                again.awaitLost();
            }
            TestHost.admitted(keys.connect(daemon.address(), "other")).close();
        }
    }

    /** An empty file may be intended; a file that is missing is reported, too. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_last_host_is_revoked_by_an_empty_file_or_none(boolean empty) throws IOException {
        try (var daemon = start();
                var removed = admitted(daemon)) {
            removed.spawnAny(1);
            var process = removed.receive(Frame.Spawned.class).processId();
            Files.delete(keys.file("hosts"));
            if (empty) {
                Files.createFile(keys.file("hosts"));
            }

            daemon.reload();

            assertEquals(
                    DocaError.NOT_PERMITTED,
                    removed.receive(Frame.Failure.class).error());
            removed.awaitLost();
            TestDaemon.awaitEnd(process);
            assertEquals(OptionalInt.of(0), statusOf(daemon).authorizedHosts());
            assertEquals(empty, statusOf(daemon).problems().isEmpty());
            keys.authorize("account: daemon", known);
            daemon.reload();
            assertEquals(List.of(), statusOf(daemon).problems());
            admitted(daemon).close();
        }
    }

    @Test
    void a_service_starts_with_an_empty_file_of_hosts() throws IOException {
        Files.writeString(keys.file("hosts"), "");
        try (var daemon = start()) {
            assertEquals(OptionalInt.of(0), statusOf(daemon).authorizedHosts());
            assertEquals(List.of(), statusOf(daemon).problems());
        }
    }

    /** Each command breaks the remote part of a service that also serves local users. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rm hosts",
                "chmod 666 hosts",
                "rm hosts && mkdir hosts",
                "rm service",
                "chmod 644 service",
                "truncate -s 0 service",
                "rm hosts service"
            })
    void local_users_are_served_while_the_remote_part_is_broken(String command) throws IOException {
        var local = new ListenAddress.Unix(folder.resolve("socket"));
        Command.run("sh", "-c", "cd " + folder + " && cp -a keys good && cd keys && " + command);
        try (var daemon = TestDaemon.start(configuration().listen(ANYWHERE, local), folder.resolve("log"))) {
            try (var host = TestHost.admitted(new TestHost(local))) {
                assertWorks(host);
            }
            var problems = statusOf(daemon).problems();
            assertTrue(problems.getFirst().contains(folder.resolve("keys").toString()), problems::toString);
            assertEquals(command.contains("rm hosts service") ? 2 : 1, problems.size(), problems::toString);

            Command.run("sh", "-c", "cd " + folder + " && rm -r keys && mv good keys");
            daemon.reload();

            assertEquals(List.of(), statusOf(daemon).problems());
            var address = daemon.addresses().stream()
                    .filter(ListenAddress.Tls.class::isInstance)
                    .findFirst()
                    .orElseThrow();
            try (var host = TestHost.admitted(keys.connect(address, "known"))) {
                assertWorks(host);
            }
        }
    }

    private static ServiceStatus statusOf(UromDaemon daemon) {
        return ServiceStatus.running().stream()
                .filter(it -> it.directory().equals(daemon.directory()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void an_entry_that_becomes_wrong_removes_its_host_and_no_other() throws IOException {
        var other = keys.create("other");
        keys.authorize("account: daemon", known, "account: games", other);
        try (var daemon = start();
                var removed = admitted(daemon);
                var staying = TestHost.admitted(keys.connect(daemon.address(), "other"))) {
            keys.authorize("acount: daemon", known, "account: games", other);

            daemon.reload();

            removed.awaitLost();
            assertWorks(staying);
            assertTrue(TestDaemon.log(folder.resolve("log")).contains("line 1: \"acount: daemon\""));
        }
    }

    @Test
    void hosts_stay_authorized_when_their_file_cannot_be_read_and_the_status_reports_it() throws IOException {
        try (var daemon = start();
                var host = admitted(daemon)) {
            Files.setPosixFilePermissions(keys.file("hosts"), PosixFilePermissions.fromString("rw-rw-rw-"));

            daemon.reload();

            assertWorks(host);
            var status = statusOf(daemon);
            assertTrue(status.problems().getFirst().contains("are unchanged"), status.problems()::toString);
            assertEquals(OptionalInt.of(1), status.authorizedHosts());
        }
    }

    @Test
    void variables_that_could_run_programs_do_not_reach_the_environment_of_a_worker() throws IOException {
        try (var daemon = start();
                var host = admitted(daemon)) {
            for (var variable : List.of(
                    "LD_PRELOAD=/tmp/x.so",
                    "UCX_TLS=tcp",
                    "HOME=/tmp",
                    "LANG=../x",
                    "BASH_FUNC_x%%=() {",
                    "ASAN_OPTIONS=log_path=/x")) {
                host.spawn(5, 1, OptionalInt.empty(), List.of("JOB=7", variable));
                var refusal = host.receive(Frame.Failure.class);
                assertEquals(DocaError.INVALID_VALUE, refusal.error(), refusal.text());
                assertTrue(refusal.text().contains(variable.split("=")[0]), refusal.text());
            }
            host.spawn(5, 1, OptionalInt.empty(), List.of("JOB=7", "LANG=C", "TZ=UTC"));
            var process = host.receive(Frame.Spawned.class).processId();
            var environment = List.of(
                    Files.readString(Path.of("/proc/" + process + "/environ")).split("\0"));
            assertTrue(
                    environment.containsAll(
                            List.of("JOB=7", "LANG=C", "TZ=UTC", "USER=daemon", "UCX_TLS=posix,cma,self")),
                    environment::toString);
        }
    }

    @Test
    void workers_listen_within_the_range_of_ports() throws IOException {
        var free = freePort();
        var remote = remote().withWorkerPorts(free, free);
        try (var daemon = TestDaemon.start(configuration().remote(remote), folder.resolve("log"));
                var host = admitted(daemon)) {
            host.spawnAny(1);
            assertEquals("tcp:" + free, host.receive(Frame.Spawned.class).address());

            host.spawnAny(1); // another process, for which no port is left
            var refusal = host.receive(Frame.Failure.class);
            assertTrue(refusal.text().contains("does not listen"), refusal.text());
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void a_worker_that_never_listens_is_reported() throws IOException {
        var program = TestDaemon.script(folder, TestDaemon.write(new Frame.Ready(0, 1)), "exec cat > /dev/null");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        var plugins = TestDaemon.onePlugin(folder);
        keys.authorize("account: daemon plugins=anything", known);
        try (var daemon = TestDaemon.start(
                        configuration(program, plugins),
                        folder.resolve("log"),
                        TestDaemon.LONG.withTicket(Duration.ofMillis(300)));
                var host = admitted(daemon)) {
            host.spawnAny(1);

            var refusal = host.receive(Frame.Failure.class);
            assertEquals(DocaError.TIME_OUT, refusal.error(), refusal.text());
            assertWorks(host);
        }
    }

    @Test
    void a_local_host_shares_workers_with_one_of_another_machine_of_the_same_user() throws IOException {
        assumeTrue(ForeignHost.isPossible(), "there is no setpriv, or no perl");
        var local = new ListenAddress.Unix(folder.resolve("socket"));
        try (var daemon = TestDaemon.start(configuration().listen(ANYWHERE, local), folder.resolve("log"));
                var remote = admitted(daemon);
                var near = new ForeignHost(DAEMON.userId(), local)) {
            remote.spawn(5, 1, OptionalInt.empty(), List.of());
            var first = remote.receive(Frame.Spawned.class);
            near.welcome();
            near.send(Frame.Spawn.of(1, 5, 1));
            var second = assertInstanceOf(Frame.Spawned.class, near.receive());

            assertEquals(first.processId(), second.processId());
            assertTrue(second.address().startsWith("unix:"), second.address());
        }
    }

    private static void assertWorks(TestHost host) {
        host.send(new Frame.GetGroup(123, 1));

        assertEquals(new Frame.Group(123, List.of()), host.receive());
    }
}

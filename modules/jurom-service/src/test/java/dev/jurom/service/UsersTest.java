// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.DaemonException;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Account;
import dev.jurom.service.identity.LocalUsers;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.status.VisibleServices;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a service of root with hosts of several users, each of which has access to its own workers only. */
class UsersTest {

    private static final Account DAEMON = Account.named("daemon").orElseThrow();
    private static final Account GAMES = Account.named("games").orElseThrow();
    private static final int WITHOUT_ACCOUNT = 42_424;
    private static final int LARGE = 64 << 20;

    @TempDir
    private Path folder;

    private ListenAddress.Unix address;

    @BeforeEach
    void requireRoot() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        assumeTrue(ForeignHost.isPossible(), "there is no setpriv, or no perl");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        address = new ListenAddress.Unix(folder.resolve("socket"));
    }

    private UromDaemon forAll(Optional<String> group) throws IOException {
        var prefix = PublicInstallation.in(folder);
        return TestDaemon.start(
                DaemonConfiguration.builder(
                                prefix.resolve("bin/urom_worker"), List.of(prefix.resolve("lib/urom_plugins")))
                        .listen(address)
                        .users(group.map(DaemonConfiguration.Users::inGroup).orElse(DaemonConfiguration.Users.ALL)),
                folder.resolve("log"));
    }

    private UromDaemon forItself() throws IOException {
        var daemon = TestDaemon.start(TestDaemon.configuration().listen(address), folder.resolve("log"));
        Files.setPosixFilePermissions(
                address.path(), PosixFilePermissions.fromString("rw-rw-rw-")); // the service still checks credentials
        return daemon;
    }

    private static Frame spawn(long workerId, OptionalInt group, String... environment) {
        return Frame.Spawn.of(1, workerId, 1).withGroup(group).withEnvironment(List.of(environment));
    }

    private static void assertRefused(Frame answer, String words) {
        var refusal = assertInstanceOf(Frame.Failure.class, answer);
        assertEquals(DocaError.NOT_PERMITTED, refusal.error(), refusal.text());
        assertTrue(refusal.text().contains(words), refusal.text());
    }

    @Test
    void a_service_of_one_user_refuses_others() throws IOException {
        try (var daemon = forItself();
                var own = TestHost.admitted(daemon);
                var other = new ForeignHost(DAEMON.userId(), address)) {
            other.hello();

            assertRefused(other.receive(), "does not serve other users");
            other.awaitLost();
            own.send(new Frame.GetGroup(1, 1));
            own.receive(Frame.Group.class);
        }
    }

    @Test
    void each_users_worker_runs_as_that_user() throws IOException {
        try (var daemon = forAll(Optional.empty());
                var host = new ForeignHost(DAEMON.userId(), address)) {
            host.welcome();
            host.send(spawn(5, OptionalInt.empty(), "GREETING=hello"));
            var spawned = assertInstanceOf(Frame.Spawned.class, host.receive());

            var status = Files.readAllLines(Path.of("/proc/" + spawned.processId() + "/status"));
            var id = Integer.toString(DAEMON.userId());
            assertTrue(status.contains("Uid:\t" + String.join("\t", id, id, id, id)), status::toString);
            assertTrue(status.contains("CapEff:\t0000000000000000"), status::toString);
            assertTrue(status.contains("NoNewPrivs:\t1"), status::toString);
            var environment = environment(spawned.processId());
            assertTrue(
                    environment.containsAll(List.of("USER=daemon", "HOME=" + DAEMON.home(), "GREETING=hello")),
                    environment::toString);
            var socket = Path.of(spawned.address().substring("unix:".length()));
            assertEquals(DAEMON.userId(), Files.getAttribute(socket, "unix:uid"));
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        }
    }

    @Test
    void a_user_can_read_a_status_with_its_own_workers_alone() throws IOException {
        try (var daemon = forAll(Optional.empty());
                var first = new ForeignHost(DAEMON.userId(), address);
                var second = new ForeignHost(GAMES.userId(), address)) {
            first.welcome();
            second.welcome();
            first.send(spawn(5, OptionalInt.empty()));
            second.send(spawn(6, OptionalInt.empty()));
            var spawned = assertInstanceOf(Frame.Spawned.class, first.receive());
            assertInstanceOf(Frame.Spawned.class, second.receive());
            var socket = daemon.directory().resolve(ServiceStatus.SOCKET);

            Waiting.until(
                    "the worker is in the user's status",
                    () -> status(DAEMON, socket).contains("\nworker 5 " + spawned.processId() + " "));
            assertFalse(status(DAEMON, socket).contains("\nworker 6 "));
            assertTrue(status(GAMES, socket).contains("\nworker 6 "));
            assertNotEquals(
                    0,
                    Command.execute(as(
                                    DAEMON,
                                    List.of(
                                            "cat",
                                            socket.resolveSibling("status").toString())))
                            .exitCode());
            var seen = VisibleServices.find().running().stream()
                    .filter(status -> status.directory().equals(daemon.directory()))
                    .findFirst();
            assertEquals(2, seen.orElseThrow().workers().size());

            first.close();
            Waiting.until(
                    "the user without workers has no status",
                    () -> status(DAEMON, socket).isEmpty());
        }
    }

    /** Returns what a user receives at the socket for the status. */
    private static String status(Account account, Path socket) {
        var words = List.of(
                "perl",
                "-MIO::Socket::UNIX",
                "-e",
                "print IO::Socket::UNIX->new(Peer => $ARGV[0])->getlines",
                socket.toString());
        return Command.execute(as(account, words)).output();
    }

    private static List<String> as(Account account, List<String> words) {
        var all = new ArrayList<>(ForeignHost.asUser(account.userId()));
        all.addAll(words);
        return all;
    }

    @Test
    void no_file_in_the_directory_of_the_service_belongs_to_another_user() throws IOException {
        try (var daemon = forAll(Optional.empty());
                var host = new ForeignHost(DAEMON.userId(), address)) {
            host.welcome();
            host.send(spawn(5, OptionalInt.empty()));
            assertInstanceOf(Frame.Spawned.class, host.receive());
            Waiting.until(
                    "the status has the worker",
                    () -> status(DAEMON, daemon.directory().resolve(ServiceStatus.SOCKET))
                            .contains("\nworker 5 "));

            try (var files = Files.list(daemon.directory())) {
                for (var file : files.filter(Files::isRegularFile).toList()) {
                    assertEquals(0, Files.getAttribute(file, "unix:uid"), file::toString);
                }
            }
        }
    }

    @Test
    void a_flood_of_requests_for_the_status_does_not_keep_it_from_users() throws IOException {
        try (var daemon = forAll(Optional.empty());
                var host = new ForeignHost(DAEMON.userId(), address)) {
            host.welcome();
            host.send(spawn(5, OptionalInt.empty()));
            assertInstanceOf(Frame.Spawned.class, host.receive());
            var socket = daemon.directory().resolve(ServiceStatus.SOCKET);
            var flood = "my @all; push @all, IO::Socket::UNIX->new(Peer => $ARGV[0]) for 1 .. 2000;"
                    + " print scalar(grep { defined } @all), qq(\n); sleep 1";
            Command.execute(as(DAEMON, List.of("perl", "-MIO::Socket::UNIX", "-e", flood, socket.toString())));

            Waiting.until("the service answers", () -> status(DAEMON, socket).contains("\nworker 5 "));
        }
    }

    @Test
    void a_worker_cannot_enlarge_its_counters() throws IOException {
        try (var daemon = forAll(Optional.empty());
                var host = new ForeignHost(DAEMON.userId(), address)) {
            host.welcome();
            host.send(spawn(5, OptionalInt.empty()));
            var spawned = assertInstanceOf(Frame.Spawned.class, host.receive());
            var socket = Path.of(spawned.address().substring("unix:".length()));
            var memory = Path.of("/proc/" + spawned.processId() + "/fd/5");
            var size = Files.size(memory);

            enlarge(memory);
            enlarge(socket.resolveSibling(socket.getFileName() + ".counters"));

            assertEquals(size, Files.size(memory));
            requireNoneLarge(socket.getParent());
        }
    }

    /** A library of the worker's user enlarges the file of each descriptor and logs at the maximum rate. */
    @Test
    void a_worker_with_endless_output_leaves_two_files_of_bounded_size_and_a_report_of_lost_lines() throws IOException {
        var flood = folder.resolve("log_flood.so");
        Command.run(
                "cc",
                "-shared",
                "-fPIC",
                "-pthread",
                "-o",
                flood.toString(),
                Command.ROOT.resolve("src/test/c/attack/log_flood.c").toString());
        try (var daemon = forAll(Optional.empty());
                var host = new ForeignHost(DAEMON.userId(), address)) {
            host.welcome();
            host.send(spawn(5, OptionalInt.empty(), "LD_PRELOAD=" + flood));
            var spawned = assertInstanceOf(Frame.Spawned.class, host.receive());
            var log = folder.resolve("log/urom_worker_" + spawned.processId() + "_dev.log");
            var older = folder.resolve("log/" + log.getFileName() + ".1");
            requireNoneLarge(folder.resolve("log"));

            awaitBudget(log); // which exceeds two files
            assertTrue(Files.exists(older));
            host.send(new Frame.GetGroup(2, 3));
            assertEquals(new Frame.Group(2, List.of()), host.receive());
            ProcessHandle.of(spawned.processId()).ifPresent(ProcessHandle::destroyForcibly);
            TestDaemon.awaitEnd(spawned.processId());
            Waiting.until(
                    "the log reports the loss",
                    () -> lastLine(log)
                            .matches("\\[jurom] lines of this worker from .* to .* are lost: the workers of user "
                                    + DAEMON.userId() + " logged 32 MiB, the limit for a minute"));
            daemon.close();

            for (var file : List.of(log, older)) {
                assertTrue(size(file) <= LogSettings.DEFAULT_MAX_SIZE);
                assertEquals(0, Files.getAttribute(file, "unix:uid"));
                assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
            try (var lines = Files.lines(older)) {
                assertTrue(lines.limit(1000).flatMapToInt(String::chars).noneMatch(Character::isISOControl));
            }
            try (var files = Files.newDirectoryStream(folder.resolve("log"))) {
                assertEquals(4, StreamSupport.stream(files.spliterator(), false).count());
            }
        }
    }

    /** Waits until the log does not grow any more, since the user has no budget left. */
    private static void awaitBudget(Path log) {
        var before = new AtomicLong(-1);
        var since = new AtomicLong(System.nanoTime());
        Waiting.within(Duration.ofSeconds(60), "the log does not grow", () -> {
            if (before.getAndSet(size(log)) != before.get() || before.get() == 0) {
                since.set(System.nanoTime());
            }
            return System.nanoTime() - since.get() > Duration.ofSeconds(3).toNanos();
        });
    }

    private static String lastLine(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.reduce("", (first, second) -> second);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        return file.toFile().length();
    }

    private static void requireNoneLarge(Path directory) throws IOException {
        try (var files = Files.newDirectoryStream(directory)) {
            for (var file : files) {
                assertTrue(Files.size(file) < LARGE, () -> file + " was enlarged");
            }
        }
    }

    /** Tries to enlarge a file with the rights of the worker's user. */
    private static void enlarge(Path file) {
        Command.execute(List.of(
                "setpriv",
                "--reuid",
                "daemon",
                "--regid",
                "daemon",
                "--clear-groups",
                "truncate",
                "--no-create",
                "--size",
                Integer.toString(LARGE),
                file.toString()));
    }

    private static List<String> environment(int process) throws IOException {
        return List.of(
                Files.readString(Path.of("/proc/" + process + "/environ")).split("\0"));
    }

    @Test
    void users_with_the_same_ids_and_groups_do_not_see_each_other() throws IOException {
        try (var daemon = forAll(Optional.empty());
                var first = new ForeignHost(DAEMON.userId(), address);
                var second = new ForeignHost(GAMES.userId(), address)) {
            var processes = new ArrayList<Integer>();
            for (var host : List.of(first, second)) {
                host.welcome();
                host.send(spawn(5, OptionalInt.of(3)));
                var spawned = assertInstanceOf(Frame.Spawned.class, host.receive());
                assertTrue(spawned.newProcess());
                processes.add(spawned.processId());
            }
            assertNotEquals(processes.get(0), processes.get(1));
            first.send(spawn(6, OptionalInt.of(3)));
            assertInstanceOf(Frame.Spawned.class, first.receive());

            second.send(new Frame.GetGroup(2, 3));
            assertEquals(new Frame.Group(2, List.of(5L)), second.receive());
            second.send(new Frame.Release(3, 6));
            assertEquals(
                    DocaError.NOT_FOUND,
                    assertInstanceOf(Frame.Failure.class, second.receive()).error());
            second.send(new Frame.Release(1, 5));
            assertInstanceOf(Frame.Released.class, second.receive());
            Waiting.until("its worker has exited", () -> !TestDaemon.isAlive(processes.get(1)));
            assertTrue(TestDaemon.isAlive(processes.get(0)));
        }
    }

    @Test
    void limits_are_kept_per_user() throws IOException {
        var prefix = PublicInstallation.in(folder);
        var configuration = DaemonConfiguration.builder(
                        prefix.resolve("bin/urom_worker"), List.of(prefix.resolve("lib/urom_plugins")))
                .listen(address)
                .users(DaemonConfiguration.Users.ALL)
                .limits(Limits.DEFAULT.withConnections(9, 1).withWorkers(9, 1));
        try (var daemon = TestDaemon.start(configuration, folder.resolve("log"));
                var first = new ForeignHost(DAEMON.userId(), address)) {
            first.welcome();
            first.send(spawn(5, OptionalInt.empty()));
            assertInstanceOf(Frame.Spawned.class, first.receive());
            first.send(spawn(6, OptionalInt.empty()));
            assertEquals(
                    DocaError.FULL,
                    assertInstanceOf(Frame.Failure.class, first.receive()).error());
            try (var again = new ForeignHost(DAEMON.userId(), address)) {
                assertEquals(
                        DocaError.FULL,
                        assertInstanceOf(Frame.Failure.class, again.receive()).error());
            }

            try (var second = new ForeignHost(GAMES.userId(), address)) {
                second.welcome();
                second.send(spawn(5, OptionalInt.empty()));
                assertInstanceOf(Frame.Spawned.class, second.receive());
            }
        }
    }

    @Test
    void users_without_an_account_or_a_mapping_are_rejected() throws IOException {
        try (var daemon = forAll(Optional.empty());
                var unknown = new ForeignHost(WITHOUT_ACCOUNT, address);
                var nobody = new ForeignHost(Credentials.UNMAPPED, address)) {
            assertRefused(unknown.receive(), "give it an account");
            assertRefused(nobody.receive(), "as which it probes plugins");
        }
    }

    @Test
    void only_members_of_a_group_are_served_if_one_is_configured() throws IOException {
        try (var daemon = forAll(Optional.of("games"));
                var member = new ForeignHost(GAMES.userId(), address);
                var other = new ForeignHost(DAEMON.userId(), address);
                var root = TestHost.admitted(daemon)) {
            member.welcome();
            assertRefused(other.receive(), "not in the group \"games\"");
        }
    }

    @Test
    void a_group_that_does_not_exist_is_named() {
        var thrown = assertThrows(
                DaemonException.class,
                () -> new LocalUsers(Credentials.ofThisProcess(), DaemonConfiguration.Users.inGroup("no-such-group")));
        assertTrue(thrown.getMessage().contains("no-such-group"), thrown.getMessage());
    }

    @Test
    void a_service_that_cannot_change_users_does_not_serve_others() {
        var thrown = assertThrows(
                DaemonException.class,
                () -> new LocalUsers(new Credentials(0, 0, false), DaemonConfiguration.Users.ALL));
        assertTrue(thrown.getMessage().contains("CAP_SETUID"), thrown.getMessage());
    }
}

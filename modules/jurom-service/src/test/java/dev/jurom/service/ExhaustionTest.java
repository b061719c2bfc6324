// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Account;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.wire.Release;
import dev.jurom.urom.WorkerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tests a user who exhausts all resources that a service grants one user by default. */
class ExhaustionTest {

    private static final boolean LONG = Boolean.getBoolean("jurom.long");
    private static final Account ATTACKER = Account.named("games").orElseThrow();
    private static final Account OTHER = Account.named("daemon").orElseThrow();
    private static final int WORKERS = Limits.DEFAULT.workersPerUser() - 1;
    /** Linux limits an environment string of a new program to 128 KiB. */
    private static final int VARIABLES = 4;

    private static final int ENVIRONMENT = Limits.DEFAULT.environmentBytes();
    private static final int MALFORMED = 255 * 1024;
    private static final int STRINGS = Limits.DEFAULT.environmentStrings();
    private static final int CONNECTIONS = LONG ? 960 : 512;
    private static final int SENDERS = 64;
    private static final int STARTS = 5;
    private static final int TLS_CONNECTIONS = 120;
    /** A quarter of the default, so that a quarter of the connections exhaust it. */
    private static final Map<String, String> SMALL_HEAP = Map.of("JUROM_DAEMON_HEAP", "32m");

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(1);

    /** Sends files over many connections without reading the answers. */
    private static final String SENDERS_PROGRAM = """
            use IO::Socket::UNIX;
            $SIG{PIPE} = 'IGNORE';
            my ($path, $senders, $connections, @files) = @ARGV;
            my @bytes = map { local (@ARGV, $/) = ($_); scalar <> } @files;
            for my $sender (1 .. $senders) {
                next if fork();
                my @sockets = map { IO::Socket::UNIX->new(Peer => $path) } 1 .. $connections;
                syswrite(STDOUT, 'c' x @sockets);
                for my $i (0 .. $#sockets) {
                    my ($text, $at, $n) = ($bytes[$i % @bytes], 0);
                    $at += $n while $n = syswrite($sockets[$i], $text, length($text) - $at, $at);
                    syswrite(STDOUT, 's');
                }
                sleep 1000;
                exit;
            }
            1 while wait() >= 0;
            """;

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

    @Test
    void a_user_at_all_limits_keeps_no_other_from_starting_a_worker() throws IOException {
        try (var daemon = start(Map.of());
                var attacker = new ForeignHost(ATTACKER.userId(), address)) {
            attacker.welcome();
            takeAllWorkers(daemon, attacker);
            var threads = threads(daemon);
            try (var malformed = new Crowd(malformed())) {
                assertServesOthers();
                malformed.awaitSent();
            }
            try (var unfinished = new Crowd(unfinished())) {
                assertServesOthers();
                unfinished.awaitConnected();
                assertServesOthers();
            }

            assertFalse(daemon.error().contains("OutOfMemoryError"), daemon::error);
            assertEquals(threads, threads(daemon), daemon::error);
        }
    }

    @Test
    @EnabledIfSystemProperty(
            named = "jurom.long",
            matches = "true",
            disabledReason = "several hundred TLS handshakes are slow")
    void hosts_of_one_account_leave_memory_for_those_of_another() throws IOException {
        var keys = new TestKeys(Files.createDirectory(folder.resolve("keys")));
        keys.create("service");
        keys.authorize(
                "account: " + ATTACKER.name(),
                keys.create("attacker"),
                "account: " + OTHER.name(),
                keys.create("other"));
        try (var daemon = start(
                SMALL_HEAP,
                "--listen",
                "127.0.0.1:0",
                "--key",
                keys.file("service").toString(),
                "--authorized-hosts",
                keys.file("hosts").toString())) {
            var place = daemon.addresses().getLast();
            var hosts = new ArrayList<TestHost>();
            var answer = (Frame) null;
            while (hosts.size() < TLS_CONNECTIONS && !(answer instanceof Frame.Failure)) {
                var host = keys.connect(place, "attacker");
                hosts.add(host);
                host.hello(DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
                answer = host.receive();
            }

            var refusal = assertInstanceOf(Frame.Failure.class, answer);
            assertEquals(DocaError.FULL, refusal.error());
            assertTrue(refusal.text().contains("JUROM_DAEMON_HEAP"), refusal.text());
            try (var other = TestHost.admitted(keys.connect(place, "other"))) {
                assertFalse(other.isLost());
            }
            hosts.forEach(TestHost::close);
        }
    }

    private void assertServesOthers() {
        var times = new ArrayList<Duration>();
        for (var i = 0; i < STARTS; i++) {
            times.add(timeToStart());
        }
        assertTrue(times.stream().sorted().toList().get(STARTS / 2).compareTo(SOON) < 0, times::toString);
    }

    /** SPAWN frames with one, many and too many strings, of which the last lacks an equals sign. */
    private static List<byte[]> malformed() {
        return Stream.of(
                        List.of(variable(MALFORMED)),
                        Collections.nCopies(STRINGS, variable(MALFORMED / STRINGS - 1)),
                        Collections.nCopies(MALFORMED / "A=\0".length(), "A="))
                .map(ExhaustionTest::malformed)
                .toList();
    }

    private static byte[] malformed(List<String> environment) {
        var spawn = PeerFrames.encode(spawn(environment.toArray(String[]::new)));
        var at = spawn.length - 1;
        while (spawn[at] != '=') {
            at--;
        }
        spawn[at] = 'x';
        return spawn;
    }

    /** Returns a SPAWN without its last byte. */
    private static List<byte[]> unfinished() {
        var spawn = PeerFrames.encode(spawn(variable(MALFORMED)));
        return List.of(Arrays.copyOf(spawn, spawn.length - 1));
    }

    private DaemonProcess start(Map<String, String> more, String... options) throws IOException {
        Path program;
        Path plugins;
        if (LONG) {
            var prefix = PublicInstallation.in(folder);
            program = prefix.resolve("bin/urom_worker");
            plugins = prefix.resolve("lib/urom_plugins");
        } else {
            program = TestDaemon.script(folder, TestDaemon.write(new Frame.Ready(0, 1)), "exec cat 3>&1 > /dev/null");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
            plugins = TestDaemon.onePlugin(folder);
        }
        var words = new ArrayList<>(List.of("--worker", program.toString(), "--listen", address.toString()));
        words.addAll(List.of(options));
        var environment = new HashMap<>(more);
        environment.put("UROM_PLUGIN_PATH", plugins.toString());
        var daemon = new DaemonProcess(folder, environment, words.toArray(String[]::new));
        daemon.addresses();
        return daemon;
    }

    private static void takeAllWorkers(DaemonProcess daemon, ForeignHost host) {
        var full = new String[VARIABLES];
        Arrays.setAll(full, i -> (char) ('A' + i) + variable(ENVIRONMENT / VARIABLES - 2));
        try {
            for (var i = 0; i < WORKERS; i++) {
                host.send(spawn(full));
            }
        } catch (UncheckedIOException e) {
            throw new AssertionError(daemon.error(), e);
        }
        for (var i = 0; i < WORKERS; i++) {
            assertInstanceOf(Frame.Spawned.class, host.receive(), daemon::error);
        }
    }

    /** Returns a variable whose Java string takes twice its size, because one character is not Latin-1. */
    private static String variable(int bytes) {
        return "A=\u0416" + "x".repeat(bytes - "A=".length() - 2);
    }

    private static Frame.Spawn spawn(String... environment) {
        return Frame.Spawn.of(1, WorkerId.ANY, 1).withEnvironment(List.of(environment));
    }

    private Duration timeToStart() {
        var begin = System.nanoTime();
        try (var other = new ForeignHost(OTHER.userId(), address)) {
            other.welcome();
            other.send(spawn());
            assertInstanceOf(Frame.Spawned.class, other.receive());
            return Duration.ofNanos(System.nanoTime() - begin);
        }
    }

    /** Returns the names of the threads of the service, except those that serve workers. */
    private static Set<String> threads(DaemonProcess daemon) throws IOException {
        var names = new TreeSet<String>();
        try (var tasks = Files.list(Path.of("/proc/" + daemon.id() + "/task"))) {
            for (var task : tasks.toList()) {
                try {
                    names.add(Files.readString(task.resolve("comm")).strip());
                } catch (NoSuchFileException e) {
                    // The thread has terminated.
                }
            }
        }
        names.removeIf(name -> !name.startsWith("urom-daemon"));
        return names;
    }

    /** Connections of the attacker, each of which sends HELLO and one of several requests. */
    private final class Crowd implements AutoCloseable {

        private final Path dots;
        private final Process process;

        Crowd(List<byte[]> requests) throws IOException {
            var hello = PeerFrames.encode(
                    new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT));
            var id = Integer.toString(ATTACKER.userId());
            var command = new ArrayList<>(List.of(
                    "setpriv",
                    "--reuid",
                    id,
                    "--regid",
                    id,
                    "--clear-groups",
                    "perl",
                    "-e",
                    SENDERS_PROGRAM,
                    address.path().toString(),
                    "" + SENDERS,
                    "" + CONNECTIONS / SENDERS));
            for (var request : requests) {
                var file = Files.createTempFile(folder, "request", "");
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
                Files.write(file, hello);
                Files.write(file, request, StandardOpenOption.APPEND);
                command.add(file.toString());
            }
            dots = Files.createTempFile(folder, "crowd", ".out");
            process = new ProcessBuilder(command)
                    .redirectOutput(dots.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        }

        /** Waits until all connections are established. */
        void awaitConnected() {
            await('c', CONNECTIONS);
        }

        /** Waits until all requests have been sent. */
        void awaitSent() {
            await('s', CONNECTIONS);
        }

        private void await(char what, int count) {
            Waiting.within(TIMEOUT, count + " times " + what, () -> {
                try {
                    return Files.readString(dots).chars().filter(c -> c == what).count() == count;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a local user who connects at the maximum rate. */
class LocalFloodTest {

    private static final int DAEMON = 1; // an account of every Debian system
    private static final int GAMES = 5; // another account of Debian
    private static final int WITHOUT_ACCOUNT = 42_424;
    private static final Duration FLOOD = Duration.ofSeconds(2);
    private static final Duration MAX_START = Duration.ofSeconds(5);

    /** Connects repeatedly, holds up to 5,000 connections, and prints the number of connections made. */
    private static final String FLOODER = """
            use IO::Socket::UNIX; use Time::HiRes 'time';
            my ($path, $end, @held, $made) = ($ARGV[0], time + $ARGV[1]);
            while (time < $end) {
                my $socket = IO::Socket::UNIX->new(Peer => $path) or next;
                push @held, $socket;
                shift @held if @held > 5000;
                print "begun\\n" if !$made++;
                $| = 1;
            }
            print "$made\\n";
            """;

    @TempDir
    private Path folder;

    private static Process flood(int userId, ListenAddress.Unix address) throws IOException {
        var words = new ArrayList<>(List.of("prlimit", "--nofile=8192", "--"));
        words.addAll(ForeignHost.asUser(userId));
        words.addAll(List.of("perl", "-e", FLOODER, address.path().toString(), Long.toString(FLOOD.toSeconds())));
        return new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static Frame start(ForeignHost host) {
        host.welcome();
        host.send(Frame.Spawn.of(1, 5, 1));
        return host.receive();
    }

    @ParameterizedTest
    @ValueSource(ints = {WITHOUT_ACCOUNT, GAMES})
    void a_flood_of_one_user_keeps_no_other_waiting(int userId) throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not change users");
        assumeTrue(ForeignHost.isPossible(), "there is no setpriv, or no perl");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var address = new ListenAddress.Unix(folder.resolve("socket"));
        var prefix = PublicInstallation.in(folder);
        try (var daemon = TestDaemon.start(
                DaemonConfiguration.builder(
                                prefix.resolve("bin/urom_worker"), List.of(prefix.resolve("lib/urom_plugins")))
                        .listen(address)
                        .users(DaemonConfiguration.Users.ALL),
                folder.resolve("log"))) {
            var flooder = flood(userId, address);
            var longest = Duration.ZERO;
            try (var output = flooder.inputReader()) {
                assertEquals("begun", output.readLine());
                while (flooder.isAlive()) {
                    var begin = System.nanoTime();
                    try (var host = new ForeignHost(DAEMON, address)) {
                        assertInstanceOf(Frame.Spawned.class, start(host));
                    }
                    var took = Duration.ofNanos(System.nanoTime() - begin);
                    assertTrue(took.compareTo(MAX_START) < 0, "a worker took " + took);
                    longest = took.compareTo(longest) > 0 ? took : longest;
                }
                System.out.println("a flood of " + output.readLine() + " connections in "
                        + FLOOD.toSeconds() + " s; another user's worker took "
                        + longest.toMillis() + " ms at most");
            } finally {
                flooder.destroyForcibly();
            }
        }
    }

    /** Admitted connections and their workers need descriptors. */
    @Test
    void connections_leave_descriptors_for_workers() {
        try (var daemon = new DaemonProcess(
                        folder,
                        List.of("prlimit", "--nofile=256:256", "--"),
                        Map.of(),
                        "--listen",
                        "unix:" + folder.resolve("socket"));
                var host = TestHost.admitted(new TestHost(daemon.address()))) {
            var address = daemon.address();
            var refused = new ArrayList<TestHost>();
            try {
                Waiting.until("a connection is rejected", () -> {
                    refused.add(new TestHost(address));
                    return refused.getLast().hasReceived();
                });
                var refusal = refused.getLast().receive(Frame.Failure.class);
                assertEquals(DocaError.FULL, refusal.error());
                assertTrue(refusal.text().contains("three quarters of the 256 descriptors"), refusal.text());

                host.spawnAny(1);
                host.receive(Frame.Spawned.class);
            } finally {
                refused.forEach(TestHost::close);
            }
        }
    }
}

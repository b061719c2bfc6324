// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Waiting;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.counters.DistinctError;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.wire.Release;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that each way to be rejected appears in the service's counters and errors. */
class RejectionCountTest {

    private static final int SIZE = DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE;

    @TempDir
    private Path folder;

    private TestKeys keys;
    private ListenAddress.Unix local;

    /** A way to be rejected once, and a part of the error that counts it. */
    private record Rejection(String name, String error, Action action) {

        interface Action {
            void run(RejectionCountTest test, UromDaemon daemon) throws IOException;
        }

        static Rejection first(String name, String error, byte[] sent) {
            return new Rejection(name, error, (test, daemon) -> {
                try (var host = new TestHost(test.local)) {
                    host.trySend(sent);
                    host.awaitLost();
                }
            });
        }

        static Rejection later(String name, String error, Frame sent) {
            return new Rejection(name, error, (test, daemon) -> {
                try (var host = TestHost.admitted(new TestHost(test.local))) {
                    host.send(sent);
                    host.receive(Frame.Failure.class);
                }
            });
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static byte[] hello(int size) {
        return PeerFrames.encode(new Frame.Hello(1, size, Release.CURRENT));
    }

    private static byte[] ofVersion(int version) {
        var bytes = hello(SIZE);
        bytes[2] = (byte) version;
        return bytes;
    }

    private static Frame spawn(long plugins, List<String> environment) {
        return Frame.Spawn.of(2, 5, plugins).withEnvironment(environment);
    }

    private static Stream<Rejection> rejections() {
        return Stream.of(
                Rejection.first("another message size", "INVALID_VALUE", hello(SIZE + 1024)),
                Rejection.first("an older version", "UNSUPPORTED_VERSION", ofVersion(1)),
                Rejection.first("a newer version", "UNSUPPORTED_VERSION", ofVersion(200)),
                Rejection.first("garbage", "A host was rejected", new byte[64]),
                Rejection.first("a request before HELLO", "BAD_STATE", PeerFrames.encode(new Frame.GetGroup(1, 1))),
                Rejection.later("a frame of a worker", "BAD_STATE", new Frame.Pong(3)),
                Rejection.later("a frame of the service", "INVALID_VALUE", new Frame.Ping(3)),
                Rejection.later("a second HELLO", "BAD_STATE", new Frame.Hello(2, SIZE, Release.CURRENT)),
                Rejection.later("no plugin", "INVALID_VALUE", spawn(0, List.of())),
                Rejection.later("an unknown plugin", "INVALID_VALUE", spawn(1L << 60, List.of())),
                Rejection.later("a worker of another host", "NOT_FOUND", new Frame.Release(4, 77)),
                Rejection.later("a large environment", "TOO_BIG", spawn(1, List.of("A=" + "x".repeat(600 << 10)))),
                new Rejection("a host that does not finish a frame", "disconnected", (test, daemon) -> {
                    try (var host = TestHost.admitted(new TestHost(test.local))) {
                        var frame = PeerFrames.encode(new Frame.GetGroup(1, 1));
                        host.send(Arrays.copyOf(frame, frame.length - 1));
                        host.awaitLost();
                    }
                }),
                new Rejection("a silent host", "TIME_OUT", (test, daemon) -> {
                    try (var host = new TestHost(test.local)) {
                        host.send(Arrays.copyOf(hello(SIZE), 1));
                        host.awaitLost();
                    }
                }),
                new Rejection("too many connections", "FULL", (test, daemon) -> {
                    try (var first = TestHost.admitted(new TestHost(test.local));
                            var second = TestHost.admitted(new TestHost(test.local));
                            var third = new TestHost(test.local)) {
                        third.awaitLost();
                    }
                }),
                new Rejection("an unknown certificate", "authenticate", (test, daemon) -> {
                    try (var host = test.keys.connect(daemon.address(), "unknown")) {
                        host.trySend(hello(SIZE));
                        host.awaitLost();
                    }
                }),
                new Rejection("a connection without TLS", "authenticate", (test, daemon) -> {
                    try (var socket = test.connect(daemon)) {
                        socket.getOutputStream().write(hello(SIZE));
                        socket.getInputStream().readAllBytes();
                    }
                }),
                new Rejection("a connection without any byte", "authenticate", (test, daemon) -> {
                    try (var socket = test.connect(daemon)) {
                        socket.getInputStream().readAllBytes();
                    } catch (IOException e) {
                        // The service has reset the connection.
                    }
                }));
    }

    private Socket connect(UromDaemon daemon) throws IOException {
        return new Socket(
                "127.0.0.1", ((ListenAddress.Tls) daemon.address()).socket().getPort());
    }

    private static long counted(UromDaemon daemon) {
        return TestDaemon.count(daemon, Counter.DAEMON_REFUSED)
                + errors(daemon).stream()
                        .filter(error -> error.text().contains("did not authenticate"))
                        .mapToLong(DistinctError::count)
                        .sum();
    }

    private static List<DistinctError> errors(UromDaemon daemon) {
        try {
            return CounterFile.read(daemon.directory().resolve("daemon.counters"))
                    .errors();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("rejections")
    void each_rejection_is_counted_once(Rejection rejection) throws IOException {
        keys = new TestKeys(Files.createDirectory(folder.resolve("keys")));
        keys.create("service");
        keys.create("unknown");
        keys.authorize("# none");
        local = new ListenAddress.Unix(folder.resolve("socket"));
        var deadlines = TestDaemon.LONG.withFrame(Duration.ofMillis(600)).withEnding(Duration.ofSeconds(5));
        try (var daemon = TestDaemon.start(
                TestDaemon.configuration()
                        .remote(RemoteAccess.of(keys.file("service"), keys.file("hosts")))
                        .limits(Limits.DEFAULT.withConnections(8, 2).withHandshakes(8, Duration.ofMillis(500)))
                        .listen(ListenAddress.parse("127.0.0.1:0"), local),
                folder.resolve("log"),
                deadlines)) {
            rejection.action().run(this, daemon);

            Waiting.until("it is counted", () -> counted(daemon) > 0);
            assertEquals(1, counted(daemon));
            var errors = errors(daemon);
            assertEquals(1, errors.size(), errors::toString);
            assertEquals(1, errors.getFirst().count());
            assertTrue(errors.getFirst().text().contains(rejection.error()), errors::toString);
        }
    }
}

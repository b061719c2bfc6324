// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.runtime.LogLevel;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that no peer displaces other lines from the service's log. */
class LogFloodTest {

    private static final int TIMES = 100;
    /** The most lines that one source causes in a minute, with the summaries, and the lines of start and end. */
    private static final int MOST = 100;

    private static final Pattern SUMMARY =
            Pattern.compile(".* within a minute: (\\d+) more from (user \\d+|127\\.0\\.0\\.1)");

    @TempDir
    private Path folder;

    private TestKeys keys;
    private ListenAddress.Unix local;
    private TestHost held;

    /** An action that a peer repeats, and whether it causes exactly one line each time rather than two or more. */
    private record Flood(String name, boolean isExact, Action action) {

        interface Action {
            void run(LogFloodTest test, UromDaemon daemon) throws IOException;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Flood> floods() {
        return Stream.of(
                new Flood(
                        "connections without TLS", true, (test, daemon) -> test.send(daemon, "GET / HTTP/1.0\r\n\r\n")),
                new Flood("unknown certificates", true, (test, daemon) -> {
                    try (var host = test.keys.connect(daemon.address(), "unknown")) {
                        host.trySend(new byte[] {0});
                        host.awaitLost();
                    }
                }),
                new Flood("local garbage", true, (test, daemon) -> {
                    try (var host = new TestHost(test.local)) {
                        host.trySend(new byte[64]);
                        host.awaitLost();
                    }
                }),
                new Flood("local hosts with another message size", true, (test, daemon) -> {
                    try (var host = new TestHost(test.local)) {
                        host.hello(1 << 20);
                        host.awaitLost();
                    }
                }),
                new Flood("too many local connections", true, (test, daemon) -> {
                    test.held = test.held == null ? TestHost.admitted(new TestHost(test.local)) : test.held;
                    try (var second = new TestHost(test.local)) {
                        second.trySend(new byte[64]);
                        second.awaitLost();
                    }
                }),
                new Flood("rejected requests", true, (test, daemon) -> {
                    try (var host = TestHost.admitted(new TestHost(test.local))) {
                        host.spawnAny(0);
                        host.receive(Frame.Failure.class);
                    }
                }),
                new Flood("workers that start and end", false, (test, daemon) -> {
                    try (var host = TestHost.admitted(new TestHost(test.local))) {
                        host.spawnAny(1);
                        host.receive();
                    }
                }));
    }

    @BeforeEach
    void makeKeys() throws IOException {
        keys = new TestKeys(Files.createDirectory(folder.resolve("keys")));
        keys.create("service");
        keys.create("unknown");
        keys.authorize("# none");
        local = new ListenAddress.Unix(folder.resolve("socket"));
    }

    private void send(UromDaemon daemon, String text) throws IOException {
        try (var socket = new Socket(
                "127.0.0.1", ((ListenAddress.Tls) daemon.address()).socket().getPort())) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        }
    }

    @ParameterizedTest
    @MethodSource("floods")
    void a_flood_of_one_peer_takes_few_lines_and_all_are_counted(Flood flood) throws IOException {
        var program = TestDaemon.script(folder, TestDaemon.write(new Frame.Ready(0, 1)), "exit 0");
        var configuration = DaemonConfiguration.builder(program, List.of(TestDaemon.onePlugin(folder)))
                .remote(RemoteAccess.of(keys.file("service"), keys.file("hosts")))
                .limits(Limits.DEFAULT.withConnections(64, flood.name().contains("too many") ? 1 : 64))
                .listen(ListenAddress.parse("127.0.0.1:0"), local)
                .logs(LogSettings.DEFAULT.withDirectory(folder.resolve("log")).withLevels(LogLevel.INFO, LogLevel.INFO))
                .build();
        var begin = System.nanoTime();
        try (var daemon = UromDaemon.open(
                configuration, ServiceLog.toFile(folder.resolve("log"), configuration.logs()), TestDaemon.LONG)) {
            for (var i = 0; i < TIMES; i++) {
                flood.action().run(this, daemon);
            }
        }
        assumeTrue(System.nanoTime() - begin < Duration.ofMinutes(1).toNanos(), "a minute has passed");

        var lines = TestDaemon.log(folder.resolve("log")).lines().toList();
        assertTrue(lines.size() <= MOST, () -> lines.size() + " lines: " + lines.getLast());
        var dropped = lines.stream()
                .map(SUMMARY::matcher)
                .filter(matcher -> matcher.matches())
                .mapToInt(matcher -> Integer.parseInt(matcher.group(1)))
                .sum();
        var written = lines.stream()
                .filter(line -> !SUMMARY.matcher(line).matches())
                .filter(line -> !line.matches(".*(The plugin /.*|The service listens at .*|The service has ended)"))
                .count();
        assertTrue(dropped > 0, lines::toString);
        if (flood.isExact()) {
            assertEquals(TIMES, dropped + written, () -> String.join("\n", lines));
        } else {
            assertTrue(dropped + written >= 2 * TIMES, () -> String.join("\n", lines));
        }
    }
}

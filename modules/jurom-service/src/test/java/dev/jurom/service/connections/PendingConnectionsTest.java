// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Waiting;
import dev.jurom.service.TestDaemon;
import dev.jurom.service.TestHost;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.wire.Frame;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests clients that do not use the protocol, and hosts connected at the same time. */
class PendingConnectionsTest {

    private static final int SILENT = 256;
    private static final int IDLE = 400;

    @TempDir
    private Path folder;

    /** Returns first bytes of such clients: none, a single byte, and other protocols. */
    static Stream<byte[]> greetings() {
        var tls = HexFormat.of().parseHex("160301020001000001fc0303");
        return Stream.concat(
                Stream.of(tls),
                Stream.of(
                                "",
                                "x",
                                "\r\n\r\n",
                                "GET / HTTP/1.1\r\nHost: urom\r\n\r\n",
                                "SSH-2.0-OpenSSH_9.2\r\n",
                                "HELP\r\n".repeat(1000))
                        .map(text -> text.getBytes(StandardCharsets.US_ASCII)));
    }

    @ParameterizedTest
    @MethodSource("greetings")
    void other_protocols_do_not_disturb(byte[] greeting) {
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
                var host = TestHost.admitted(daemon)) {
            for (var i = 0; i < 10; i++) {
                try (var stranger = new TestHost(daemon.address())) {
                    stranger.trySend(greeting);
                }
            }
            assertWorks(host);
            TestHost.admitted(daemon).close();
        }
    }

    @Test
    void many_idle_and_silent_connections_exclude_no_host_and_the_silent_ones_are_closed() {
        var soon = Limits.DEFAULT.withHandshakes(64, Duration.ofSeconds(3));
        try (var daemon = TestDaemon.start(TestDaemon.configuration().limits(soon), folder)) {
            var silent = new ArrayList<TestHost>();
            for (var i = 0; i < SILENT; i++) {
                silent.add(new TestHost(daemon.address()));
            }
            var idle = new ArrayList<TestHost>();
            for (var i = 0; i < IDLE; i++) {
                idle.add(TestHost.admitted(daemon));
            }
            try (var host = TestHost.admitted(daemon)) {
                host.spawnAny(1);
                host.receive(Frame.Spawned.class);
            }

            Waiting.until(
                    "the silent ones have been closed", () -> silent.stream().allMatch(TestHost::isLost));
            assertTrue(idle.stream().noneMatch(TestHost::isLost));
            silent.forEach(TestHost::close);
            idle.forEach(TestHost::close);
        }
    }

    private static void assertWorks(TestHost host) {
        host.send(new Frame.GetGroup(123, 1));

        assertEquals(new Frame.Group(123, List.of()), host.receive());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.testing.Waiting;
import dev.jurom.ucx.UcxContext;
import dev.jurom.ucx.UcxEndpoint;
import dev.jurom.ucx.UcxFeature;
import dev.jurom.ucx.UcxRequest;
import dev.jurom.ucx.UcxWorker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Those who reach the service's port and are no hosts. */
class StrangersTest {

    /** More than may be unknown at a time. */
    private static final int CROWD = 300;

    @TempDir
    private Path folder;

    /** What comes along on a network: nothing, other protocols, a single byte. */
    static Stream<byte[]> greetings() {
        var tls = HexFormat.of().parseHex("160301020001000001fc0303");
        return Stream.concat(Stream.of(tls), Stream.of("", "x", "\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: urom\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n",
                "HELP\r\n".repeat(1000)).map(text -> text.getBytes(StandardCharsets.US_ASCII)));
    }

    @ParameterizedTest
    @MethodSource("greetings")
    void other_protocols_do_not_disturb(byte[] greeting) throws IOException {
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
             var host = TestHost.admitted(daemon)) {
            for (var i = 0; i < 10; i++) {
                try (var socket = new Socket()) {
                    socket.connect(daemon.address());
                    socket.getOutputStream().write(greeting);
                }
            }
            assertWorks(host);
            TestHost.admitted(daemon).close();
        }
    }

    @Test
    void a_crowd_that_says_nothing_is_limited() {
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
             var host = TestHost.admitted(daemon)) {
            try (var crowd = new Crowd(daemon.address())) {
                Waiting.until("some are turned away", () -> crowd.turnedAway() > 0);
                assertWorks(host);
                assertTrue(TestDaemon.log(folder).contains("is rejected"));
            }
            Waiting.until("there is room again", () -> {
                try (var next = new TestHost(daemon.address())) {
                    next.authenticate(ServiceKey.none(),
                            DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
                    return next.receive() instanceof Frame.Welcome;
                } catch (AssertionError e) {
                    return false;
                }
            });
        }
    }

    private static void assertWorks(TestHost host) {
        host.send(new Frame.GetGroup(123, 1));

        assertEquals(new Frame.Group(123, List.of()), host.receive());
    }

    /** Many connections of one worker that say nothing. */
    private static final class Crowd implements AutoCloseable {
        private final UcxContext context = UcxContext.open(EnumSet.of(UcxFeature.ACTIVE_MESSAGES),
                Map.of("TLS", "tcp"));
        private final UcxWorker worker = context.createWorker();
        private final List<UcxEndpoint> endpoints = new ArrayList<>();
        private int turnedAway;

        Crowd(InetSocketAddress address) {
            for (var i = 0; i < CROWD; i++) {
                endpoints.add(worker.connect(address, (endpoint, status) -> turnedAway++));
            }
        }

        int turnedAway() {
            worker.progress();
            return turnedAway;
        }

        @Override
        public void close() {
            var requests = endpoints.stream().map(UcxEndpoint::abort).toList();
            Waiting.until("all have left", () -> {
                worker.progress();
                return requests.stream().allMatch(UcxRequest::isDone);
            });
            worker.close();
            context.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of hosts: who is admitted, and what ends a connection. */
class SessionTest {

    private static final int SIZE = DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE;
    private static final Bytes NONCE = Bytes.of(new byte[Frame.NONCE_SIZE]);

    private static final Deadlines HANDSHAKE = TestDaemon.shortHandshake(Duration.ofSeconds(2));

    @TempDir
    private Path folder;

    @Test
    void a_host_learns_what_the_service_offers() {
        try (var daemon = start(TestDaemon.configuration().withCores(3));
             var host = new TestHost(daemon.address())) {
            var hello = host.authenticate(ServiceKey.none(), SIZE);
            var welcome = host.receive(Frame.Welcome.class);

            assertEquals(hello.requestId(), welcome.requestId());
            assertEquals(SIZE, welcome.maxMessageSize());
            assertEquals(3, welcome.coreCount());
            assertEquals(CpuSet.of(0, 1, 2), welcome.cpuSet());
            assertTrue(welcome.plugins().stream().map(PluginInfo::name).toList()
                    .contains("worker_graph"));
        }
    }

    @Test
    void both_sides_prove_that_they_know_the_key() throws IOException {
        var file = keyFile("the key");
        try (var daemon = start(TestDaemon.configuration().withKeyFile(file));
             var host = new TestHost(daemon.address())) {
            var key = ServiceKey.read(file);
            var hello = new Frame.Hello(1, NONCE, SIZE, TestHost.USER_ID);
            host.send(hello);
            var serverNonce = host.receive(Frame.Challenge.class).serverNonce();
            host.send(new Frame.Authenticate(1, key.hostProof(hello, serverNonce)));

            assertEquals(key.serviceProof(NONCE, serverNonce),
                    host.receive(Frame.Welcome.class).mac());
        }
    }

    @Test
    void a_wrong_key_is_refused() throws IOException {
        try (var daemon = start(
                TestDaemon.configuration().withKeyFile(keyFile("the key")));
             var host = new TestHost(daemon.address())) {
            host.authenticate(ServiceKey.none(), SIZE);

            assertEnded(host, DocaError.AUTHENTICATION, "key");
        }
    }

    @Test
    void challenges_differ() {
        try (var daemon = start(TestDaemon.configuration());
             var first = new TestHost(daemon.address());
             var second = new TestHost(daemon.address())) {
            var hello = new Frame.Hello(1, NONCE, SIZE, 0);
            first.send(hello);
            second.send(hello);

            assertFalse(first.receive(Frame.Challenge.class).serverNonce()
                    .equals(second.receive(Frame.Challenge.class).serverNonce()));
        }
    }

    @Test
    void another_maximum_message_size_is_refused_and_both_are_named() {
        try (var daemon = start(TestDaemon.configuration());
             var host = new TestHost(daemon.address())) {
            host.authenticate(ServiceKey.none(), 8192);

            assertEnded(host, DocaError.INVALID_VALUE, "8192", "4096");
        }
    }

    @Test
    void a_size_that_was_changed_on_the_way_is_noticed() {
        try (var daemon = start(TestDaemon.configuration());
             var host = new TestHost(daemon.address())) {
            var hello = new Frame.Hello(1, NONCE, SIZE, 1);
            host.send(hello);
            var nonce = host.receive(Frame.Challenge.class).serverNonce();
            host.send(new Frame.Authenticate(1, ServiceKey.none().hostProof(
                    new Frame.Hello(1, NONCE, SIZE, 2), nonce)));

            assertEnded(host, DocaError.AUTHENTICATION);
        }
    }

    /** Frames that no host sends first. */
    static Stream<Frame> framesOutOfTurn() {
        return Stream.of(new Frame.Authenticate(5, NONCE), new Frame.GetGroup(5, 1),
                new Frame.Release(5, 1), new Frame.Challenge(5, NONCE), new Frame.Detach(5));
    }

    @ParameterizedTest
    @MethodSource("framesOutOfTurn")
    void nothing_but_hello_comes_first(Frame frame) {
        try (var daemon = start(TestDaemon.configuration());
             var host = new TestHost(daemon.address())) {
            host.send(frame);

            var answer = assertEnded(host, DocaError.BAD_STATE, "HELLO");
            assertEquals(5, answer.requestId());
        }
    }

    @Test
    void hello_is_said_once() {
        try (var daemon = start(TestDaemon.configuration());
             var host = new TestHost(daemon.address())) {
            host.send(new Frame.Hello(1, NONCE, SIZE, 0));
            host.receive(Frame.Challenge.class);
            host.send(new Frame.Hello(2, NONCE, SIZE, 0));

            assertEnded(host, DocaError.BAD_STATE);
        }
    }

    @Test
    void an_admitted_host_may_not_say_what_services_say() {
        try (var daemon = start(TestDaemon.configuration());
             var host = TestHost.admitted(daemon)) {
            host.send(new Frame.Released(9, 1));

            assertEnded(host, DocaError.BAD_STATE);
        }
    }

    /** Bytes that are no frames, and what they are answered with. */
    static Stream<Object[]> malformed() {
        var detach = FrameEncoder.encode(new Frame.Detach(77));
        var version = detach.clone();
        version[2] = 2;
        var type = detach.clone();
        type[3] = 99;
        return Stream.of(
                new Object[] {new byte[0], DocaError.INVALID_VALUE, 0L},
                new Object[] {new byte[] {1, 2, 3}, DocaError.INVALID_VALUE, 0L},
                new Object[] {new byte[64], DocaError.INVALID_VALUE, 0L},
                new Object[] {version, DocaError.UNSUPPORTED_VERSION, 77L},
                new Object[] {type, DocaError.INVALID_VALUE, 77L},
                new Object[] {new byte[4097], DocaError.TOO_BIG, 0L},
                new Object[] {new byte[2 << 20], DocaError.TOO_BIG, 0L});
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void a_malformed_frame_closes_its_connection_and_no_other(byte[] bytes, DocaError error,
            long requestId) {
        try (var daemon = start(TestDaemon.configuration());
             var good = TestHost.admitted(daemon);
             var bad = new TestHost(daemon.address())) {
            bad.send(bytes);

            assertEquals(requestId, assertEnded(bad, error).requestId());
            assertWorks(good);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 77, 65_535})
    void messages_that_are_not_for_a_service_are_dropped(int messageId) {
        try (var daemon = start(TestDaemon.configuration());
             var host = new TestHost(daemon.address())) {
            host.send(messageId, new byte[100]);
            host.send(messageId, new byte[100_000]);
            host.authenticate(ServiceKey.none(), SIZE);

            host.receive(Frame.Welcome.class);
        }
    }

    @Test
    void a_frame_over_one_mebibyte_closes_the_connection_of_an_admitted_host() {
        try (var daemon = start(TestDaemon.configuration());
             var good = TestHost.admitted(daemon);
             var bad = TestHost.admitted(daemon)) {
            bad.send(new byte[(1 << 20) + 1]);

            assertEnded(bad, DocaError.TOO_BIG);
            assertWorks(good);
        }
    }

    @Test
    void long_frames_arrive_whole() {
        try (var daemon = start(TestDaemon.configuration());
             var host = TestHost.admitted(daemon)) {
            var environment = new ArrayList<String>();
            for (var i = 0; i < 10; i++) {
                environment.add("NAME" + i + "=" + "x".repeat(100_000));
            }
            host.spawn(1, 0, OptionalInt.empty(), environment);

            assertTrue(host.receive(Frame.Failure.class).text().contains("at least one plugin"));
        }
    }

    @Test
    void who_says_nothing_is_shown_the_door() {
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder, HANDSHAKE);
             var silent = new TestHost(daemon.address());
             var halting = new TestHost(daemon.address())) {
            halting.send(new Frame.Hello(1, NONCE, SIZE, 0));
            halting.receive(Frame.Challenge.class);

            assertEnded(silent, DocaError.TIME_OUT, "handshake");
            assertEnded(halting, DocaError.TIME_OUT, "handshake");
        }
    }

    @Test
    void an_admitted_host_may_be_silent() {
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder, HANDSHAKE);
             var host = TestHost.admitted(daemon);
             var silent = new TestHost(daemon.address())) {
            silent.awaitLost(); // it came later: the time of the first is over, too

            assertWorks(host);
        }
    }

    @Test
    void many_hosts_at_once_are_served() {
        try (var daemon = start(TestDaemon.configuration())) {
            var hosts = new ArrayList<TestHost>();
            for (var i = 0; i < 40; i++) {
                hosts.add(TestHost.admitted(daemon));
            }
            hosts.forEach(SessionTest::assertWorks);
            hosts.forEach(TestHost::close);
        }
    }

    @Test
    void closing_the_service_closes_connections() {
        var daemon = start(TestDaemon.configuration());
        try (var host = TestHost.admitted(daemon)) {
            daemon.close();
            daemon.close();

            host.awaitLost();
        }
    }

    @Test
    void nobody_listens_after_the_end() {
        InetSocketAddress address;
        try (var daemon = start(TestDaemon.configuration())) {
            address = daemon.address();
        }
        try (var host = new TestHost(address)) {
            host.awaitLost();
        }
    }

    private static Frame.Failure assertEnded(TestHost host, DocaError error, String... words) {
        var answer = host.receive(Frame.Failure.class);
        assertEquals(error, answer.error(), answer.text());
        List.of(words).forEach(word -> assertTrue(answer.text().contains(word), answer.text()));
        host.awaitLost();
        return answer;
    }

    private static void assertWorks(TestHost host) {
        host.send(new Frame.GetGroup(123, 1));

        assertEquals(new Frame.Group(123, List.of()), host.receive());
    }

    private UromDaemon start(DaemonConfiguration configuration) {
        return TestDaemon.start(configuration, folder);
    }

    private Path keyFile(String key) throws IOException {
        var file = Files.writeString(folder.resolve("key"), key);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}

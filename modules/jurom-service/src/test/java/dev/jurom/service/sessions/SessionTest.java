// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.LogLevel;
import dev.jurom.service.NonReadingHost;
import dev.jurom.service.TestDaemon;
import dev.jurom.service.TestHost;
import dev.jurom.service.UromDaemon;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.wire.Release;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the connections of hosts: which hosts are admitted, and why connections are closed. */
class SessionTest {

    private static final int SIZE = DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE;
    /** A deadline that no test reaches. */
    private static final Duration NEVER = Duration.ofMinutes(10);

    @TempDir
    private Path folder;

    @Test
    void a_host_receives_the_offers_of_the_service() {
        try (var daemon = start(TestDaemon.configuration().cores(3));
                var host = new TestHost(daemon.address())) {
            var hello = host.hello(SIZE);
            var welcome = host.receive(Frame.Welcome.class);

            assertEquals(hello.requestId(), welcome.requestId());
            assertEquals(SIZE, welcome.maxMessageSize());
            assertEquals(3, welcome.coreCount());
            assertEquals(CpuSet.of(0, 1, 2), welcome.cpuSet());
            assertTrue(welcome.plugins().stream().map(PluginInfo::name).toList().contains("worker_graph"));
        }
    }

    @Test
    void another_maximum_message_size_is_refused_and_both_are_named() {
        try (var daemon = start(TestDaemon.configuration());
                var host = new TestHost(daemon.address())) {
            host.hello(8192);

            assertEnded(host, DocaError.INVALID_VALUE, "8192", "4096");
        }
    }

    @Test
    void a_rejected_host_that_continues_is_disconnected_and_can_read_the_reason() throws Exception {
        try (var daemon = start(TestDaemon.configuration());
                var host = SocketChannel.open(
                        UnixDomainSocketAddress.of(((ListenAddress.Unix) daemon.address()).path()))) {
            var noise = ByteBuffer.allocate(1 << 16);
            var sent = 0L;
            try {
                while (sent < 1L << 30) {
                    sent += host.write(noise.rewind());
                }
            } catch (IOException e) {
                // The service has closed the connection.
            }

            assertTrue(sent < 1 << 20, sent + " bytes");
            var answer = Channels.newInputStream(host).readAllBytes();
            assertInstanceOf(Frame.Failure.class, PeerFrames.decode(answer));
        }
    }

    /** Frames that are invalid as the first frame of a host. */
    static Stream<Frame> framesOutOfTurn() {
        return Stream.of(new Frame.GetGroup(5, 1), new Frame.Release(5, 1), new Frame.Ready(5, 1), new Frame.Pong(5));
    }

    @ParameterizedTest
    @MethodSource("framesOutOfTurn")
    void the_first_frame_must_be_a_hello(Frame frame) {
        try (var daemon = start(TestDaemon.configuration());
                var host = new TestHost(daemon.address())) {
            host.send(frame);

            var answer = assertEnded(host, DocaError.BAD_STATE, "HELLO");
            assertEquals(5, answer.requestId());
        }
    }

    @Test
    void a_second_hello_is_rejected() {
        try (var daemon = start(TestDaemon.configuration());
                var host = TestHost.admitted(daemon)) {
            host.hello(SIZE);

            assertEnded(host, DocaError.BAD_STATE);
        }
    }

    @Test
    void an_admitted_host_may_not_send_frames_of_services() {
        try (var daemon = start(TestDaemon.configuration());
                var host = TestHost.admitted(daemon)) {
            host.send(new Frame.Released(9, 1));

            assertEnded(host, DocaError.INVALID_VALUE, "only a service sends RELEASED");
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 0.0.9", "4, 9.0.0"})
    void a_host_of_another_version_receives_both_releases_in_its_version(byte version, String release) {
        try (var daemon = start(TestDaemon.configuration());
                var host = new TestHost(daemon.address())) {
            var hello = PeerFrames.encode(new Frame.Hello(77, SIZE, release));
            hello[2] = version;
            host.send(hello);

            var answer = assertEnded(
                    host,
                    DocaError.UNSUPPORTED_VERSION,
                    "jurom " + release,
                    "version " + version,
                    "jurom " + Release.CURRENT,
                    "version 3");
            assertEquals(77, answer.requestId());
            assertEquals(version, host.version());
        }
    }

    @Test
    void a_host_of_a_version_without_a_release_is_rejected() {
        try (var daemon = start(TestDaemon.configuration());
                var host = new TestHost(daemon.address())) {
            var hello = Arrays.copyOf(PeerFrames.encode(new Frame.Hello(1, SIZE, "x")), 24);
            hello[2] = 2;
            hello[4] = 8;
            host.send(hello);

            assertEnded(host, DocaError.UNSUPPORTED_VERSION, "an older jurom", "jurom " + Release.CURRENT);
        }
    }

    /** Malformed frames and the expected answers. */
    static Stream<Object[]> malformed() {
        var pong = PeerFrames.encode(new Frame.Pong(77));
        var version = pong.clone();
        version[2] = 1;
        var type = pong.clone();
        type[3] = 99;
        var attach = pong.clone();
        attach[3] = 30; // a frame from a host to a worker
        var huge = pong.clone();
        huge[7] = 0x7F;
        var long4k = pong.clone();
        long4k[5] = 0x10;
        return Stream.of(
                new Object[] {new byte[64], DocaError.INVALID_VALUE, 0L},
                new Object[] {version, DocaError.UNSUPPORTED_VERSION, 77L},
                new Object[] {type, DocaError.INVALID_VALUE, 77L},
                new Object[] {attach, DocaError.INVALID_VALUE, 77L},
                new Object[] {huge, DocaError.TOO_BIG, 77L},
                new Object[] {long4k, DocaError.TOO_BIG, 77L},
                new Object[] {new byte[2 << 20], DocaError.INVALID_VALUE, 0L});
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void a_malformed_frame_closes_its_connection_and_no_other(byte[] bytes, DocaError error, long requestId) {
        try (var daemon = start(TestDaemon.configuration());
                var good = TestHost.admitted(daemon);
                var bad = new TestHost(daemon.address())) {
            bad.trySend(bytes);

            assertEquals(requestId, assertEnded(bad, error).requestId());
            assertWorks(good);
        }
    }

    @Test
    void a_frame_over_one_mebibyte_closes_the_connection_of_an_admitted_host() {
        try (var daemon = start(TestDaemon.configuration());
                var good = TestHost.admitted(daemon);
                var bad = TestHost.admitted(daemon)) {
            var header = PeerFrames.encode(new Frame.Pong(7));
            header[6] = 0x10;
            bad.send(header);

            assertEnded(bad, DocaError.TOO_BIG);
            assertWorks(good);
        }
    }

    @Test
    void an_environment_may_be_large() {
        try (var daemon = start(TestDaemon.configuration());
                var host = TestHost.admitted(daemon)) {
            host.spawn(1, 0, OptionalInt.empty(), List.of("A=" + "x".repeat(250_000)));

            assertTrue(host.receive(Frame.Failure.class).text().contains("at least one plugin"));
        }
    }

    @Test
    void an_environment_that_is_too_large_is_rejected_and_the_connection_continues() {
        try (var daemon = start(TestDaemon.configuration());
                var host = TestHost.admitted(daemon)) {
            for (var size : List.of(264_000, 500_000)) {
                var spawn = host.spawn(1, 1, OptionalInt.empty(), List.of("A=" + "x".repeat(size)));
                var answer = host.receive(Frame.Failure.class);

                assertEquals(spawn.requestId(), answer.requestId());
                assertEquals(DocaError.TOO_BIG, answer.error(), answer.text());
            }
            var many = new ArrayList<String>();
            for (var i = 0; i < 4097; i++) {
                many.add("A" + i + "=b");
            }
            host.spawn(1, 1, OptionalInt.empty(), many);
            assertEquals(DocaError.TOO_BIG, host.receive(Frame.Failure.class).error());
            assertWorks(host);
        }
    }

    @Test
    void a_request_of_maximum_length_is_decoded_and_a_longer_one_is_not() {
        var longest = Session.longestFrame(Limits.DEFAULT);
        try (var daemon = start(TestDaemon.configuration());
                var host = TestHost.admitted(daemon)) {
            host.send(spawnOfLength(longest));
            assertTrue(host.receive(Frame.Failure.class).text().contains("at least one plugin"));

            host.send(spawnOfLength(longest + 1));
            var answer = host.receive(Frame.Failure.class).text();
            assertTrue(answer.contains("A request of " + (longest + 1) + " bytes is too long"), answer);
        }
    }

    private static byte[] spawnOfLength(int length) {
        var shortest = PeerFrames.encode(spawn(List.of("A="))).length;
        return PeerFrames.encode(spawn(List.of("A=" + "x".repeat(length - shortest))));
    }

    /** A request that has no plugins, so that no worker is started. */
    private static Frame.Spawn spawn(List<String> environment) {
        return Frame.Spawn.of(1, 1, 0).withEnvironment(environment);
    }

    @Test
    void an_environment_may_have_the_maximum_number_of_variables() {
        try (var daemon = start(TestDaemon.configuration());
                var host = TestHost.admitted(daemon)) {
            host.send(spawn(Stream.iterate(0, i -> i + 1)
                    .limit(Limits.DEFAULT.environmentStrings())
                    .map(i -> "A" + i + "=b")
                    .toList()));

            assertTrue(host.receive(Frame.Failure.class).text().contains("at least one plugin"));
        }
    }

    /** The service decodes one long request at a time. */
    @Test
    void a_long_request_does_not_delay_the_next_one() {
        try (var daemon = start(TestDaemon.configuration());
                var first = TestHost.admitted(daemon);
                var second = TestHost.admitted(daemon)) {
            var next = PeerFrames.encode(new Frame.GetGroup(123, 1));
            first.send(spawnOfLength(100_000));
            first.send(Arrays.copyOf(next, 20)); // the first thread of the service waits for the rest
            first.receive(Frame.Failure.class);

            second.send(spawnOfLength(100_000));
            second.receive(Frame.Failure.class);

            first.send(Arrays.copyOfRange(next, 20, next.length));
            assertEquals(new Frame.Group(123, List.of()), first.receive());
        }
    }

    @Test
    void an_answer_quotes_only_the_beginning_of_a_text_from_a_host() {
        try (var daemon = start(TestDaemon.configuration());
                var host = TestHost.admitted(daemon)) {
            var spawn = PeerFrames.encode(Frame.Spawn.of(1, 1, 1).withEnvironment(List.of("A=" + "x".repeat(250_000))));
            spawn[spawn.length - "=".length() - 250_000 - "\0".length()] = 'A';
            host.send(spawn);

            var answer = assertEnded(host, DocaError.INVALID_VALUE, "\"AAxx", "is not NAME=value");
            assertTrue(answer.text().length() < 200, answer.text().length() + " characters");
        }
    }

    @Test
    void a_variable_whose_name_is_too_long_is_rejected_and_the_connection_continues() {
        try (var daemon = start(TestDaemon.configuration());
                var host = TestHost.admitted(daemon)) {
            host.spawn(1, 1, OptionalInt.empty(), List.of("A".repeat(250_000) + "=x"));

            var answer = host.receive(Frame.Failure.class);
            assertEquals(DocaError.INVALID_VALUE, answer.error(), answer.text());
            assertTrue(answer.text().contains("at most 255"), answer.text());
            assertTrue(answer.text().length() < 300, answer.text().length() + " characters");
            assertWorks(host);
        }
    }

    @Test
    void a_silent_host_is_disconnected() {
        var soon = Limits.DEFAULT.withHandshakes(64, Duration.ofMillis(500));
        try (var daemon = start(TestDaemon.configuration().limits(soon));
                var silent = new TestHost(daemon.address())) {
            assertEnded(silent, DocaError.TIME_OUT, "handshake", "500 ms");
        }
    }

    @Test
    void single_bytes_do_not_restart_the_time_of_a_handshake() {
        var soon = Limits.DEFAULT.withHandshakes(64, Duration.ofMillis(500));
        try (var daemon = start(TestDaemon.configuration().limits(soon));
                var slow = new TestHost(daemon.address())) {
            var hello = PeerFrames.encode(new Frame.Hello(1, SIZE, Release.CURRENT));
            var begin = System.nanoTime();
            for (var i = 0; !slow.isLost() && i < hello.length - 1; i++) {
                slow.trySend(new byte[] {hello[i]});
                var next = begin + Duration.ofMillis(100).multipliedBy(i + 1).toNanos();
                Waiting.until("the next byte is due", () -> slow.isLost() || System.nanoTime() >= next);
            }

            assertEnded(slow, DocaError.TIME_OUT, "handshake");
            assertTrue(System.nanoTime() - begin < Duration.ofMillis(1400).toNanos());
        }
    }

    @Test
    void a_frame_that_is_never_completed_ends_its_connection() {
        var deadlines = TestDaemon.LONG.withFrame(Duration.ofMillis(300));
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder, deadlines);
                var good = TestHost.admitted(daemon);
                var bad = TestHost.admitted(daemon)) {
            bad.send(Arrays.copyOf(PeerFrames.encode(new Frame.GetGroup(1, 1)), 20));

            bad.awaitLost();
            assertWorks(good);
            assertTrue(TestDaemon.log(folder).contains("did not complete a frame within 300 ms"));
        }
    }

    @Test
    void an_admitted_host_may_be_silent() {
        var soon = Limits.DEFAULT.withHandshakes(64, Duration.ofMillis(500));
        try (var daemon = start(TestDaemon.configuration().limits(soon));
                var host = TestHost.admitted(daemon);
                var silent = new TestHost(daemon.address())) {
            silent.awaitLost(); // it connected later, so the handshake deadline of the first host has passed

            assertWorks(host);
        }
    }

    @Test
    void a_host_that_does_not_read_loses_only_its_own_connection() {
        var deadlines = TestDaemon.LONG.withFrame(Duration.ofMillis(300));
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder, deadlines);
                var good = TestHost.admitted(daemon);
                var nonReading = NonReadingHost.connect(daemon.address())) {
            Waiting.until("the service closes the connection", () -> !nonReading.request());

            assertWorks(good);
            assertTrue(TestDaemon.log(folder).contains("a frame was not accepted within"));
        }
    }

    @Test
    void requests_wait_while_a_host_does_not_read_and_none_is_lost() throws Exception {
        var requests = 2_000; // more than the frames that the service queues for a host
        var few = Limits.DEFAULT.withRequests(1 << 18, 4096, 1);
        try (var daemon = TestDaemon.start(
                        TestDaemon.configuration().limits(few), folder, TestDaemon.LONG.withFrame(NEVER));
                var other = TestHost.admitted(daemon);
                var channel = SocketChannel.open(
                        UnixDomainSocketAddress.of(((ListenAddress.Unix) daemon.address()).path()))) {
            var input = Channels.newInputStream(channel);
            var output = Channels.newOutputStream(channel);
            output.write(PeerFrames.encode(new Frame.Hello(1, SIZE, Release.CURRENT)));
            var question = PeerFrames.encode(new Frame.GetGroup(1, 1));
            var all = ByteBuffer.allocate(requests * question.length);
            while (all.hasRemaining()) {
                all.put(question);
            }
            output.write(all.array());
            for (var i = 0; i < 500; i++) {
                assertWorks(other); // meanwhile, the service would read all requests
            }

            assertInstanceOf(Frame.Welcome.class, read(input));
            for (var i = 0; i < requests; i++) {
                assertEquals(new Frame.Group(1, List.of()), read(input));
            }
        }
    }

    private static Frame read(InputStream input) throws Exception {
        var header = input.readNBytes(FrameDecoder.HEADER_SIZE);
        var frame = Arrays.copyOf(header, FrameDecoder.length(header));
        input.readNBytes(frame, header.length, frame.length - header.length);
        return PeerFrames.decode(frame);
    }

    @Test
    void a_host_that_disconnects_with_unread_answers_is_logged_as_disconnected() {
        try (var daemon = start(TestDaemon.configuration());
                var other = TestHost.admitted(daemon)) {
            try (var nonReading = NonReadingHost.connect(daemon.address())) {
                for (var i = 0; i < 1_000; i++) {
                    nonReading.request();
                }
                Waiting.until("the session begins", () -> TestDaemon.count(daemon, Counter.DAEMON_SESSIONS) == 2);
                for (var i = 0; i < 100; i++) {
                    assertWorks(other); // meanwhile, the service answers until the buffers are full
                }
            }

            Waiting.until(
                    "the service removes the session", () -> TestDaemon.count(daemon, Counter.DAEMON_SESSIONS) == 1);
            Waiting.until(
                    "the disconnection is logged",
                    () -> !lines("(session 2) has disconnected: ").isEmpty());
            assertTrue(lines("The connection of ").isEmpty());
        }
    }

    @Test
    void the_log_names_the_session_of_a_refused_request_and_of_a_closed_connection() {
        try (var daemon = start(TestDaemon.configuration());
                var first = TestHost.admitted(daemon);
                var second = TestHost.admitted(daemon)) {
            first.spawnAny(0);
            first.receive(Frame.Failure.class);
            second.hello(SIZE);
            assertEnded(second, DocaError.BAD_STATE);
            second.close();
            Waiting.until(
                    "the service removes the session", () -> TestDaemon.count(daemon, Counter.DAEMON_SESSIONS) == 1);

            assertEquals(1, lines("(session 1) is refused (INVALID_VALUE): ").size());
            assertEquals(1, lines("(session 2) is closed: Only SPAWN").size());
            assertEquals(2, TestDaemon.count(daemon, Counter.DAEMON_REFUSED));
            assertTrue(lines("has disconnected").isEmpty());
        }
    }

    @Test
    void sessions_are_logged_and_counted() {
        try (var daemon = start(TestDaemon.configuration());
                var first = TestHost.admitted(daemon)) {
            TestHost.admitted(daemon).close();
            Waiting.until(
                    "the service removes the session", () -> TestDaemon.count(daemon, Counter.DAEMON_SESSIONS) == 1);

            assertEquals(2, TestDaemon.count(daemon, Counter.DAEMON_SESSIONS_IN_ALL));
            assertEquals(1, lines("(session 1) is admitted").size());
            assertEquals(1, lines("(session 2) is admitted").size());
            assertEquals(1, lines("has disconnected: ").size());
            assertWorks(first);
        }
    }

    @Test
    void the_log_contains_all_frames_at_the_level_trace() {
        var logs = LogSettings.DEFAULT.withDirectory(folder).withLevels(LogLevel.TRACE, LogLevel.INFO);
        try (var daemon = UromDaemon.open(TestDaemon.configuration().logs(logs).build());
                var host = TestHost.admitted(daemon)) {
            assertWorks(host);

            assertEquals(1, lines("(session 1) sends Hello[").size());
            assertEquals(1, lines("(session 1) sends GetGroup[requestId=123").size());
            assertEquals(1, lines("(session 1) is sent Group[requestId=123").size());
        }
    }

    private List<String> lines(String text) {
        return TestDaemon.logLines(folder, text);
    }

    @Test
    void many_hosts_at_once_are_served() {
        try (var daemon = start(TestDaemon.configuration())) {
            var hosts = new ArrayList<TestHost>();
            for (var i = 0; i < 400; i++) {
                hosts.add(TestHost.admitted(daemon));
            }
            hosts.forEach(SessionTest::assertWorks);
            hosts.forEach(TestHost::close);
        }
    }

    @Test
    void connections_beyond_the_limit_are_rejected_with_the_reason() {
        var few = Limits.DEFAULT.withConnections(3, 2);
        try (var daemon = start(TestDaemon.configuration().limits(few));
                var first = TestHost.admitted(daemon);
                var second = TestHost.admitted(daemon);
                var third = new TestHost(daemon.address())) {
            var refusal = assertEnded(third, DocaError.FULL, "of this user", "2");
            assertEquals(0, refusal.requestId());
            assertWorks(first);
            assertWorks(second);

            second.close();
            Waiting.until("a connection is free again", () -> isAdmitted(daemon));
        }
    }

    private static boolean isAdmitted(UromDaemon daemon) {
        try (var host = new TestHost(daemon.address())) {
            host.trySend(PeerFrames.encode(new Frame.Hello(1, SIZE, Release.CURRENT)));
            return host.receive() instanceof Frame.Welcome;
        }
    }

    @Test
    void the_limit_on_all_connections_applies() {
        var few = Limits.DEFAULT.withConnections(2, 2);
        try (var daemon = start(TestDaemon.configuration().limits(few));
                var first = TestHost.admitted(daemon);
                var second = TestHost.admitted(daemon);
                var third = new TestHost(daemon.address())) {
            assertEnded(third, DocaError.FULL, "2 connections, its limit");
            assertEquals(
                    1, lines("is refused (FULL): The service has 2 connections").size());
            assertEquals(1, TestDaemon.count(daemon, Counter.DAEMON_LIMITS_HIT));
            assertWorks(first);
            assertWorks(second);
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
    void a_refused_host_sees_the_end_before_the_deadline() {
        var deadlines = TestDaemon.LONG.withEnding(NEVER);
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder, deadlines);
                var host = new TestHost(daemon.address())) {
            host.hello(8192);

            assertEnded(host, DocaError.INVALID_VALUE);
        }
    }

    /** The actions of hosts before the service is closed. */
    static Stream<Consumer<UromDaemon>> hosts() {
        return Stream.of(daemon -> {}, TestHost::admitted, daemon -> {
            TestHost.admitted(daemon).close();
            Waiting.until(
                    "the service removes the session", () -> TestDaemon.count(daemon, Counter.DAEMON_SESSIONS) == 0);
        });
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void closing_the_service_waits_for_no_deadline(Consumer<UromDaemon> hosts) {
        TestDaemon.assertClosesAtOnce(() -> {
            var daemon = TestDaemon.start(TestDaemon.configuration(), folder, TestDaemon.LONG.withEnding(NEVER));
            hosts.accept(daemon);
            return daemon;
        });
    }

    @Test
    void no_socket_listens_after_the_end() {
        ListenAddress address;
        try (var daemon = start(TestDaemon.configuration())) {
            address = daemon.address();
        }
        assertThrows(UncheckedIOException.class, () -> new TestHost(address));
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

    private UromDaemon start(DaemonConfiguration.Builder configuration) {
        return TestDaemon.start(configuration, folder);
    }
}

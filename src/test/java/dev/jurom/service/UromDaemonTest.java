// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.testing.Waiting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service as a whole: how it starts, rests and ends. */
class UromDaemonTest {

    private static final String THREAD = "urom-daemon";

    @TempDir
    private Path folder;

    private void assertNotStarted(DaemonConfiguration configuration, String... words) {
        var thrown = assertThrows(DaemonException.class,
                () -> TestDaemon.start(configuration, folder.resolve("log")));
        List.of(words).forEach(word -> assertTrue(thrown.getMessage().contains(word),
                thrown.getMessage()));
        Waiting.until("its thread has ended", () -> threads().isEmpty());
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(THREAD)).toList();
    }

    @Test
    void it_does_not_listen_to_the_world_without_a_key() throws IOException {
        var everywhere = TestDaemon.configuration().listenAt(new InetSocketAddress("0.0.0.0", 0));
        assertNotStarted(everywhere, "0.0.0.0", "without a key", "127.0.0.1");

        var key = Files.writeString(folder.resolve("key"), "secret");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        try (var daemon = TestDaemon.start(everywhere.withKeyFile(key), folder)) {
            assertTrue(daemon.address().getAddress().isAnyLocalAddress());
            try (var host = new TestHost(new InetSocketAddress("127.0.0.1",
                    daemon.address().getPort()))) {
                host.authenticate(ServiceKey.read(key),
                        DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
                host.receive(Frame.Welcome.class);
            }
        }
    }

    @Test
    void a_key_file_that_is_no_good_keeps_it_from_starting() {
        assertNotStarted(TestDaemon.configuration().withKeyFile(folder.resolve("nokey")), "nokey",
                "does not exist");
    }

    @Test
    void an_address_in_use_is_named() {
        try (var first = TestDaemon.start(TestDaemon.configuration(), folder)) {
            var thrown = assertThrows(DaemonException.class, () -> TestDaemon.start(
                    TestDaemon.configuration().listenAt(first.address()), folder.resolve("log")));
            assertTrue(thrown.getMessage().contains(":" + first.address().getPort()),
                    thrown.getMessage());
        }
    }

    @Test
    void it_can_be_started_again_at_once_where_it_was() {
        var address = TestDaemon.configuration().listen();
        for (var i = 0; i < 3; i++) {
            try (var daemon = TestDaemon.start(TestDaemon.configuration().listenAt(address),
                    folder);
                 var host = TestHost.admitted(daemon)) {
                address = daemon.address();
                daemon.close(); // first, so that the connection's end is the service's to remember
            }
        }
    }

    @Test
    void an_address_of_another_machine_is_named() throws IOException {
        var key = Files.writeString(folder.resolve("key"), "secret");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        assertNotStarted(TestDaemon.configuration().withKeyFile(key)
                .listenAt(new InetSocketAddress("192.0.2.1", 0)), "192.0.2.1");
    }

    @Test
    void an_unknown_host_is_named() {
        assertNotStarted(TestDaemon.configuration().listenAt(
                InetSocketAddress.createUnresolved("nowhere.invalid", 1)), "nowhere.invalid");
    }

    @Test
    void a_worker_program_that_is_not_there_is_named() {
        assertNotStarted(DaemonConfiguration.local(folder.resolve("no-worker"), List.of()),
                "no-worker");
    }

    @Test
    void a_log_directory_that_cannot_be_made_is_named() throws IOException {
        var file = Files.writeString(folder.resolve("file"), "");
        var thrown = assertThrows(DaemonException.class,
                () -> TestDaemon.start(TestDaemon.configuration(), file.resolve("log")));
        assertTrue(thrown.getMessage().contains(file.toString()), thrown.getMessage());
    }

    @Test
    void numbers_out_of_range_are_refused() {
        var configuration = TestDaemon.configuration();
        assertThrows(IllegalArgumentException.class, () -> configuration.withMaxMessageSize(63));
        assertThrows(IllegalArgumentException.class, () -> configuration.withCores(0));
        assertThrows(IllegalArgumentException.class, () -> configuration.withCores(1025));
        assertThrows(IllegalArgumentException.class, () -> configuration.withMaxWorkers(0));
    }

    @Test
    void it_runs_without_plugins() {
        try (var daemon = TestDaemon.start(DaemonConfiguration.local(TestDaemon.workerProgram(),
                List.of(folder.resolve("nowhere"))), folder);
             var host = new TestHost(daemon.address())) {
            host.authenticate(ServiceKey.none(), DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);

            assertEquals(List.of(), host.receive(Frame.Welcome.class).plugins());
        }
    }

    @Test
    void two_services_run_in_one_process() {
        try (var first = TestDaemon.start(TestDaemon.configuration(), folder.resolve("1"));
             var second = TestDaemon.start(TestDaemon.configuration(), folder.resolve("2"));
             var ofFirst = TestHost.admitted(first);
             var ofSecond = TestHost.admitted(second)) {
            ofFirst.spawnAny(1);
            ofSecond.spawnAny(1);

            assertEquals(ofFirst.receive(Frame.Spawned.class).workerId(),
                    ofSecond.receive(Frame.Spawned.class).workerId());
        }
    }

    @Test
    void nothing_of_it_is_left_after_its_end() {
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
             var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);
        }
        assertEquals(List.of(), threads());
        assertEquals(0, TestDaemon.workers(TestDaemon.workerProgram()).size());
        Waiting.until("the threads of its workers have ended",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("urom-worker-")));
    }

    @Test
    void starting_and_ending_often_leaves_no_descriptor() throws IOException {
        TestDaemon.start(TestDaemon.configuration(), folder).close();
        var before = descriptors();
        for (var i = 0; i < 5; i++) {
            try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
                 var host = TestHost.admitted(daemon)) {
                host.spawnAny(1);
                host.receive(Frame.Spawned.class);
            }
        }
        var after = descriptors();
        assertTrue(after <= before + 2, before + " descriptors before and " + after + " after");
    }

    private static long descriptors() throws IOException {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    @Test
    void an_idle_service_rests() throws IOException {
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
             var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);
            var window = Duration.ofSeconds(1);
            var end = System.nanoTime() + window.toNanos();
            var before = processorTime();
            Waiting.until("the window is over", () -> System.nanoTime() >= end);

            var used = processorTime().minus(before);
            assertTrue(used.toMillis() < 20, window + " of rest took " + used);
        }
    }

    /** How long the service's thread has run so far. */
    private static Duration processorTime() throws IOException {
        try (var threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (var thread : threads) {
                if (Files.readString(thread.resolve("comm")).strip().equals(THREAD)) {
                    var numbers = Files.readString(thread.resolve("schedstat")).split(" ");
                    return Duration.ofNanos(Long.parseLong(numbers[0]));
                }
            }
        }
        throw new AssertionError("no thread " + THREAD);
    }
}

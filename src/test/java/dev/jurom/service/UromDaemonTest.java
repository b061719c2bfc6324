// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service as a whole: how it starts, rests and ends. */
class UromDaemonTest {

    private static final String THREAD = "urom-";
    private static final int CLOSES = Boolean.getBoolean("jurom.long") ? 100 : 30;
    /** Threads that the JDK keeps for a while: they notice the ends of processes. */
    private static final List<String> OF_JDK =
            List.of("process reaper", "ForkJoinPool.commonPool-worker-");

    @TempDir
    private Path folder;

    private void assertNotStarted(DaemonConfiguration.Builder configuration, String... words) {
        var thrown = assertThrows(DaemonException.class,
                () -> TestDaemon.start(configuration, folder.resolve("log")));
        List.of(words).forEach(word -> assertTrue(thrown.getMessage().contains(word),
                thrown.getMessage()));
        assertEquals(List.of(), threads());
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(THREAD)).toList();
    }

    @Test
    void it_does_not_listen_to_networks_without_a_key() {
        for (var address : List.of("0.0.0.0:0", "127.0.0.1:0")) {
            var thrown = assertThrows(IllegalArgumentException.class, () ->
                    TestDaemon.configuration().listen(ListenAddress.parse(address)).build());
            assertTrue(thrown.getMessage().contains(address), thrown.getMessage());
            assertTrue(thrown.getMessage().contains("without a key"), thrown.getMessage());
        }
    }

    @Test
    void a_key_file_that_is_no_good_keeps_it_from_starting() {
        assertNotStarted(TestDaemon.configuration().remote(
                RemoteAccess.of(folder.resolve("nokey"), folder.resolve("nohosts"))), "nokey",
                "does not exist");
    }

    @Test
    void it_can_be_started_again_at_once_where_it_was() {
        var address = ListenAddress.parse("unix:" + folder.resolve("socket"));
        for (var i = 0; i < 3; i++) {
            try (var daemon = TestDaemon.start(TestDaemon.configuration().listen(address),
                    folder);
                 var host = TestHost.admitted(daemon)) {
                daemon.close(); // first, so that the connection's end is the service's to remember
            }
        }
    }

    @Test
    void it_listens_at_several_addresses() {
        var first = ListenAddress.parse("unix:" + folder.resolve("a"));
        var second = ListenAddress.parse("unix:" + folder.resolve("b"));
        try (var daemon = TestDaemon.start(TestDaemon.configuration().listen(first, second),
                folder)) {
            assertEquals(List.of(first, second), daemon.addresses());
            TestHost.admitted(new TestHost(first)).close();
            TestHost.admitted(new TestHost(second)).close();
        }
        assertFalse(Files.exists(folder.resolve("a")));
        assertFalse(Files.exists(folder.resolve("b")));
    }

    @Test
    void a_worker_program_that_is_not_there_is_named() {
        assertNotStarted(DaemonConfiguration.builder(folder.resolve("no-worker"), List.of()),
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
        assertThrows(IllegalArgumentException.class, () -> configuration.maxMessageSize(63));
        assertThrows(IllegalArgumentException.class, () -> configuration.cores(0));
        assertThrows(IllegalArgumentException.class, () -> configuration.cores(1025));
        assertThrows(IllegalArgumentException.class,
                () -> Limits.DEFAULT.withWorkers(0, 1));
    }

    @Test
    void it_runs_without_plugins() {
        try (var daemon = TestDaemon.start(DaemonConfiguration.builder(TestDaemon.workerProgram(),
                List.of(folder.resolve("nowhere"))), folder);
             var host = new TestHost(daemon.address())) {
            host.hello(DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);

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
    }

    @Test
    void no_thread_is_alive_when_close_returns() {
        for (var i = 0; i < CLOSES; i++) {
            var before = Thread.getAllStackTraces().keySet();
            try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
                 var host = TestHost.admitted(daemon);
                 var idle = TestHost.admitted(daemon)) {
                host.spawnAny(1);
                host.receive(Frame.Spawned.class);
                if (i % 2 == 0) { // else the hosts leave first
                    daemon.close();
                    assertEquals(List.of(), startedSince(before));
                }
            }
            assertEquals(List.of(), startedSince(before));
        }
    }

    @Test
    void an_interrupted_close_leaves_no_thread_either() {
        var before = Thread.getAllStackTraces().keySet();
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
             var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);
            Thread.currentThread().interrupt();
            daemon.close();

            assertTrue(Thread.interrupted());
            assertEquals(List.of(), startedSince(before));
        }
    }

    private static List<Thread> startedSince(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> OF_JDK.stream().noneMatch(thread.getName()::startsWith)).toList();
    }

    @Test
    void virtual_threads_that_compute_keep_no_worker_from_starting() {
        var result = ForkedJvm.run(BusySchedulerProgram.class, "-Djurom.runtime=software",
                "-Djdk.virtualThreadScheduler.parallelism=" + BusySchedulerProgram.CARRIERS,
                "-Djdk.virtualThreadScheduler.maxPoolSize=" + BusySchedulerProgram.CARRIERS);

        assertEquals("started\n", result.output());
        assertEquals(0, result.exitCode());
    }

    @Test
    void starting_and_ending_often_leaves_no_descriptor() {
        TestDaemon.start(TestDaemon.configuration(), folder).close();
        var before = descriptors();
        for (var i = 0; i < 5; i++) {
            try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
                 var host = TestHost.admitted(daemon)) {
                host.spawnAny(1);
                host.receive(Frame.Spawned.class);
            }
        }
        Waiting.until("there are no more descriptors than " + before,
                () -> descriptors() <= before + 2);
    }

    private static long descriptors() {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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

    /** How long the service's own threads have run so far. */
    private static Duration processorTime() throws IOException {
        var sum = Duration.ZERO;
        try (var threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (var thread : threads) {
                if (Files.readString(thread.resolve("comm")).startsWith("urom-")) {
                    var numbers = Files.readString(thread.resolve("schedstat")).split(" ");
                    sum = sum.plusNanos(Long.parseLong(numbers[0]));
                }
            }
        }
        assertTrue(sum.isPositive(), "no thread of a service");
        return sum;
    }
}

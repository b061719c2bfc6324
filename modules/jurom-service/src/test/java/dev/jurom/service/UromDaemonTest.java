// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.runtime.DaemonException;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.settings.RemoteAccess;
import dev.jurom.service.wire.Frame;
import dev.jurom.urom.PluginInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the life cycle of a service and its idle CPU use. */
class UromDaemonTest {

    private static final String THREAD = "urom-";
    private static final int CLOSES = Boolean.getBoolean("jurom.long") ? 100 : 30;
    /** Threads that the JDK keeps for a while to reap child processes. */
    private static final List<String> OF_JDK = List.of("process reaper", "ForkJoinPool.commonPool-worker-");

    @TempDir
    private Path folder;

    private void assertNotStarted(DaemonConfiguration.Builder configuration, String... words) {
        var thrown = assertThrows(DaemonException.class, () -> TestDaemon.start(configuration, folder.resolve("log")));
        List.of(words).forEach(word -> assertTrue(thrown.getMessage().contains(word), thrown.getMessage()));
        assertEquals(List.of(), threads());
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(THREAD))
                .toList();
    }

    @Test
    void it_does_not_listen_on_networks_without_a_key() {
        for (var address : List.of("0.0.0.0:0", "127.0.0.1:0")) {
            var thrown = assertThrows(
                    IllegalArgumentException.class,
                    () -> TestDaemon.configuration()
                            .listen(ListenAddress.parse(address))
                            .build());
            assertTrue(thrown.getMessage().contains(address), thrown.getMessage());
            assertTrue(thrown.getMessage().contains("without a key"), thrown.getMessage());
        }
    }

    @Test
    void an_invalid_key_file_prevents_its_start_without_a_local_address() {
        assertNotStarted(
                TestDaemon.configuration()
                        .listen(ListenAddress.parse("127.0.0.1:0"))
                        .remote(RemoteAccess.of(folder.resolve("nokey"), folder.resolve("nohosts"))),
                "nokey",
                "does not exist");
    }

    @Test
    void it_can_be_started_again_at_once_where_it_was() {
        var address = ListenAddress.parse("unix:" + folder.resolve("socket"));
        for (var i = 0; i < 3; i++) {
            try (var daemon = TestDaemon.start(TestDaemon.configuration().listen(address), folder);
                    var host = TestHost.admitted(daemon)) {
                daemon.close(); // while the host is still connected
            }
        }
    }

    @Test
    void it_listens_at_several_addresses() {
        var first = ListenAddress.parse("unix:" + folder.resolve("a"));
        var second = ListenAddress.parse("unix:" + folder.resolve("b"));
        try (var daemon = TestDaemon.start(TestDaemon.configuration().listen(first, second), folder)) {
            assertEquals(List.of(first, second), daemon.addresses());
            TestHost.admitted(new TestHost(first)).close();
            TestHost.admitted(new TestHost(second)).close();
        }
        assertFalse(Files.exists(folder.resolve("a")));
        assertFalse(Files.exists(folder.resolve("b")));
    }

    @Test
    void a_missing_worker_program_is_named() {
        assertNotStarted(DaemonConfiguration.builder(folder.resolve("no-worker"), List.of()), "no-worker");
    }

    @Test
    void a_log_directory_that_cannot_be_made_is_named() throws IOException {
        var file = Files.writeString(folder.resolve("file"), "");
        var thrown = assertThrows(
                DaemonException.class, () -> TestDaemon.start(TestDaemon.configuration(), file.resolve("log")));
        assertTrue(thrown.getMessage().contains(file.toString()), thrown.getMessage());
    }

    @Test
    void numbers_out_of_range_are_refused() {
        var configuration = TestDaemon.configuration();
        assertThrows(IllegalArgumentException.class, () -> configuration.maxMessageSize(63));
        assertThrows(IllegalArgumentException.class, () -> configuration.cores(0));
        assertThrows(IllegalArgumentException.class, () -> configuration.cores(1025));
        assertThrows(IllegalArgumentException.class, () -> Limits.DEFAULT.withWorkers(0, 1));
    }

    /** Connects a host and returns the names and IDs of the plugins offered to it. */
    private static Map<String, Long> offered(UromDaemon daemon) {
        try (var host = new TestHost(daemon.address())) {
            host.hello(DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
            return host.receive(Frame.Welcome.class).plugins().stream()
                    .collect(Collectors.toMap(PluginInfo::name, PluginInfo::id));
        }
    }

    private static Path graph() {
        return TestDaemon.plugins().resolve("worker_graph.so");
    }

    @Test
    void each_connection_is_offered_the_current_plugins() throws IOException {
        var plugins = Files.createDirectory(folder.resolve("plugins"));
        var later = folder.resolve("later");
        try (var daemon = TestDaemon.start(
                DaemonConfiguration.builder(TestDaemon.workerProgram(), List.of(plugins, later)),
                folder.resolve("log"))) {
            assertEquals(Map.of(), offered(daemon));

            Files.copy(graph(), plugins.resolve("a.so"));
            assertEquals(Map.of("a", 1L), offered(daemon));

            Files.createDirectory(later);
            Files.copy(graph(), later.resolve("b.so"));
            assertEquals(Map.of("a", 1L, "b", 2L), offered(daemon));

            Files.move(
                    Files.copy(graph(), folder.resolve("new")),
                    plugins.resolve("a.so"),
                    StandardCopyOption.REPLACE_EXISTING);
            assertEquals(Map.of("a", 1L, "b", 2L), offered(daemon)); // the version is unchanged

            Files.write(later.resolve("b.so"), new byte[100], StandardOpenOption.APPEND);
            assertEquals(Map.of("a", 1L, "b", 2L), offered(daemon));

            Files.delete(plugins.resolve("a.so"));
            assertEquals(Map.of("b", 2L), offered(daemon));
        }
    }

    @Test
    void a_plugin_that_was_incomplete_is_offered_once_it_is_complete() throws IOException {
        var plugins = Files.createDirectory(folder.resolve("plugins"));
        var whole = Files.readAllBytes(graph());
        var copy = plugins.resolve("copy.so");
        try (var daemon = TestDaemon.start(
                DaemonConfiguration.builder(TestDaemon.workerProgram(), List.of(plugins)), folder.resolve("log"))) {
            Files.write(copy, Arrays.copyOf(whole, whole.length / 8));
            assertEquals(Map.of(), offered(daemon));

            Files.write(copy, Arrays.copyOfRange(whole, whole.length / 8, whole.length), StandardOpenOption.APPEND);

            assertEquals(Map.of("copy", 1L), offered(daemon));
        }
    }

    @Test
    void connections_cause_no_search_of_unchanged_folders() throws IOException {
        var plugins = TestDaemon.onePlugin(folder);
        Files.writeString(plugins.resolve("refused.so"), "");
        var probes = folder.resolve("probes");
        var program = TestDaemon.script(folder, "exit 1");
        Files.writeString(
                program,
                Files.readString(program)
                        .replace(
                                "echo version=7",
                                "echo \"$2\" >>" + probes + "; case $2 in *refused.so) exit 1 ;; esac;"
                                        + " echo version=7"));
        try (var daemon =
                TestDaemon.start(DaemonConfiguration.builder(program, List.of(plugins)), folder.resolve("log"))) {
            for (var i = 0; i < 20; i++) {
                assertEquals(Map.of("anything", 1L), offered(daemon));
            }
            assertTrue(Files.readAllLines(probes).size() <= 3); // a recently changed file is probed again

            Files.writeString(plugins.resolve("more.so"), "");
            assertEquals(Map.of("anything", 1L, "more", 2L), offered(daemon));
            Files.delete(plugins.resolve("more.so"));
            assertEquals(Map.of("anything", 1L), offered(daemon));

            var asked = Files.readAllLines(probes).stream()
                    .filter(file -> file.endsWith("refused.so"))
                    .count();
            assertTrue(asked <= 5, () -> "asked " + asked + " times");
        }
    }

    @Test
    void a_plugin_that_hangs_does_not_delay_hosts() throws IOException {
        var plugins = TestDaemon.onePlugin(folder);
        var program = TestDaemon.script(folder, "exit 1");
        Files.writeString(
                program,
                Files.readString(program)
                        .replace("echo version=7", "case $2 in *hangs.so) exec sleep 60 ;; esac; echo version=7"));
        try (var daemon = TestDaemon.start(
                DaemonConfiguration.builder(program, List.of(plugins)),
                folder.resolve("log"),
                TestDaemon.LONG.withProbe(Duration.ofSeconds(30)))) {
            Files.writeString(plugins.resolve("hangs.so"), "");
            Files.writeString(plugins.resolve("more.so"), "");
            var begin = System.nanoTime();

            assertEquals(Map.of("anything", 1L), offered(daemon));
            assertEquals(Map.of("anything", 1L), offered(daemon));

            assertTrue(System.nanoTime() - begin < Duration.ofSeconds(15).toNanos());
        }
    }

    @Test
    void it_runs_without_plugins() {
        try (var daemon = TestDaemon.start(
                        DaemonConfiguration.builder(TestDaemon.workerProgram(), List.of(folder.resolve("nowhere"))),
                        folder);
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

            assertEquals(
                    ofFirst.receive(Frame.Spawned.class).workerId(),
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
                if (i % 2 == 0) { // otherwise the hosts disconnect first
                    daemon.close();
                    assertEquals(List.of(), startedSince(before));
                }
            }
            assertEquals(List.of(), startedSince(before));
        }
    }

    @Test
    void an_interrupted_close_leaves_no_thread() {
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
                .filter(thread -> OF_JDK.stream().noneMatch(thread.getName()::startsWith))
                .toList();
    }

    @Test
    void computing_virtual_threads_do_not_prevent_the_start_of_a_worker() {
        var result = ForkedJvm.run(
                BusySchedulerProgram.class,
                "-Djurom.runtime=software",
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
        Waiting.until("the number of descriptors is at most " + before, () -> descriptors() <= before + 2);
    }

    private static long descriptors() {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void an_idle_service_uses_little_processor_time() throws IOException {
        try (var daemon = TestDaemon.start(TestDaemon.configuration(), folder);
                var host = TestHost.admitted(daemon)) {
            host.spawnAny(1);
            host.receive(Frame.Spawned.class);
            var window = Duration.ofSeconds(1);
            var end = System.nanoTime() + window.toNanos();
            var before = processorTime();
            Waiting.until("the window is over", () -> System.nanoTime() >= end);

            var used = processorTime().minus(before);
            assertTrue(used.toMillis() < 20, window + " of idling took " + used);
        }
    }

    /** Returns the CPU time of the service's threads. */
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

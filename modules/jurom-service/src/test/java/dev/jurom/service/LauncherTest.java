// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.wire.Frame;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the launcher of a service: what its processes inherit, and its end. */
class LauncherTest {

    @TempDir
    private Path folder;

    private DaemonProcess daemon;
    private TestHost host;

    private void start() {
        daemon = new DaemonProcess(
                folder,
                Map.of(),
                "--listen",
                "unix:" + folder.resolve("socket"),
                "--log-dir",
                folder.resolve("logs").toString());
        host = TestHost.admitted(new TestHost(daemon.address()));
    }

    @AfterEach
    void stop() {
        if (daemon != null) {
            host.close();
            daemon.close();
        }
    }

    private Frame.Spawned startWorker() {
        host.spawnAny(1);
        return host.receive(Frame.Spawned.class);
    }

    @Test
    void workers_end_with_a_killed_launcher_for_a_reason_and_the_service_starts_another_one() {
        start();
        var first = startWorker();
        var second = startWorker();
        var launcher = daemon.launcher();

        launcher.destroyForcibly();

        for (var i = 0; i < 2; i++) {
            var gone = host.receive(Frame.WorkerGone.class);
            assertEquals(128 + 9, gone.exitStatus());
            assertTrue(gone.text().contains("the launcher of the service had ended"), gone.text());
        }
        TestDaemon.awaitEnd(first.processId());
        TestDaemon.awaitEnd(second.processId());
        var third = startWorker();
        assertTrue(TestDaemon.isAlive(third.processId()));
        assertNotEquals(launcher.pid(), daemon.launcher().pid());
        Waiting.until("the service has reaped the launcher", () -> !Files.exists(Path.of("/proc/" + launcher.pid())));
    }

    @Test
    void a_launcher_that_hangs_is_killed_and_replaced() {
        var before = launchers();
        var deadlines = TestDaemon.LONG.withStart(Duration.ofSeconds(1));
        try (var service = TestDaemon.start(TestDaemon.configuration(), folder, deadlines);
                var its = TestHost.admitted(service)) {
            its.spawnAny(1);
            its.receive(Frame.Spawned.class);
            var hanging = launchers().stream()
                    .filter(process -> !before.contains(process))
                    .findFirst()
                    .orElseThrow();
            Command.run("kill", "-STOP", Long.toString(hanging.pid()));

            its.spawnAny(1);

            its.receive(Frame.Failure.class);
            its.receive(Frame.WorkerGone.class);
            TestDaemon.awaitEnd(hanging.pid());
            assertEquals(
                    1,
                    TestDaemon.logLines(folder, "has not answered within 1000 ms")
                            .size());
            its.spawnAny(1);
            its.receive(Frame.Spawned.class);
        }
    }

    private static Set<ProcessHandle> launchers() {
        return ProcessHandle.current()
                .children()
                .filter(process -> process.info().arguments().stream()
                        .anyMatch(arguments -> List.of(arguments).contains("--monitor")))
                .collect(Collectors.toSet());
    }

    @Test
    void a_killed_service_leaves_no_launcher_and_no_worker() {
        start();
        var worker = startWorker();
        var launcher = daemon.launcher();

        daemon.kill();

        TestDaemon.awaitEnd(worker.processId());
        TestDaemon.awaitEnd(launcher.pid());
    }

    @Test
    void an_interrupt_of_the_terminal_does_not_end_the_launcher() {
        start();
        var worker = startWorker();
        var launcher = daemon.launcher();

        for (var signal : List.of("INT", "TERM", "HUP")) {
            Command.run("kill", "-" + signal, Long.toString(launcher.pid()));
        }
        startWorker();

        assertTrue(launcher.isAlive());
        assertTrue(TestDaemon.isAlive(worker.processId()));
    }

    @Test
    void the_launcher_and_workers_inherit_no_descriptor_of_the_service() throws IOException {
        var secret = Files.writeString(folder.resolve("secret"), "text");
        try (var opened = new FileInputStream(secret.toFile());
                var embedded = TestDaemon.start(
                        TestDaemon.configuration(), Files.createDirectory(folder.resolve("embedded")));
                var local = TestHost.admitted(embedded)) {
            assertTrue(opened.getFD().valid());
            local.spawnAny(1);
            var worker = ProcessHandle.of(local.receive(Frame.Spawned.class).processId())
                    .orElseThrow();
            var launcher = worker.parent().orElseThrow();
            var own = descriptors(ProcessHandle.current());

            assertMatch(
                    List.of("/dev/null", "/dev/null", ".*", "socket:.*", "anon_inode:\\[signalfd\\]"),
                    descriptors(launcher));
            var its = descriptors(worker);
            assertTrue(its.stream().noneMatch(target -> target.startsWith("socket:") && own.contains(target)));
            assertEquals(
                    3,
                    its.stream()
                            .filter(own::contains)
                            .filter(target -> target.startsWith("pipe:"))
                            .distinct()
                            .count());
            assertTrue(
                    its.stream().allMatch(target -> target.matches("(pipe|socket|anon_inode):.*|/dev/null|/memfd:.*")),
                    its.toString());
        }
    }

    private static void assertMatch(List<String> patterns, List<String> targets) {
        assertEquals(patterns.size(), targets.size(), targets.toString());
        for (var i = 0; i < patterns.size(); i++) {
            assertTrue(targets.get(i).matches(patterns.get(i)), targets.toString());
        }
    }

    private static List<String> descriptors(ProcessHandle process) {
        try (var links = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            return links.sorted(Comparator.comparingInt(
                            link -> Integer.parseInt(link.getFileName().toString())))
                    .map(LauncherTest::target)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return ""; // closed concurrently
        }
    }
}

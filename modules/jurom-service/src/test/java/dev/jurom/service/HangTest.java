// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.settings.WorkerSettings;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests workers that do not answer. */
class HangTest {

    private static final Duration TIMEOUT = Duration.ofMillis(800);
    private static final int SIGKILL_STATUS = 128 + 9;

    @TempDir
    private Path folder;

    private UromDaemon start(Duration timeout) {
        return TestDaemon.start(
                TestDaemon.configuration()
                        .workers(WorkerSettings.of(TestDaemon.workerProgram()).withHangTimeout(timeout)),
                folder);
    }

    private static long spawn(TestHost host) {
        host.spawnAny(1);
        return host.receive(Frame.Spawned.class).processId();
    }

    private static void signal(String name, long process) {
        Command.run("kill", "-" + name, Long.toString(process));
    }

    private static void pass(Duration time) {
        var end = System.nanoTime() + time.toNanos();
        Waiting.within(time.plusSeconds(5), "time has passed", () -> System.nanoTime() >= end);
    }

    @Test
    void a_worker_that_does_not_answer_is_killed_and_its_hosts_receive_the_reason() {
        try (var daemon = start(TIMEOUT);
                var host = TestHost.admitted(daemon)) {
            var process = spawn(host);
            signal("STOP", process);

            var gone = host.receive(Frame.WorkerGone.class);
            assertEquals(SIGKILL_STATUS, gone.exitStatus());
            assertEquals("Worker 1 did not answer for 800 ms (--hang-timeout) while it ran no callback", gone.text());
            assertTrue(gone.unresponsive());
            assertTrue(TestDaemon.log(folder).contains("is in state T"), () -> TestDaemon.log(folder));
            assertTrue(TestDaemon.log(folder).contains(", and runs no callback"), () -> TestDaemon.log(folder));
            TestDaemon.awaitEnd(process);
        }
    }

    @Test
    void a_worker_that_answers_is_not_killed() {
        try (var daemon = start(TIMEOUT);
                var host = TestHost.admitted(daemon)) {
            var process = spawn(host);

            pass(TIMEOUT.multipliedBy(3));
            assertTrue(TestDaemon.isAlive(process));
        }
    }

    @Test
    void without_a_timeout_no_worker_is_killed() {
        try (var daemon = start(Duration.ZERO);
                var host = TestHost.admitted(daemon)) {
            var process = spawn(host);
            signal("STOP", process);

            pass(TIMEOUT.multipliedBy(2));
            assertTrue(TestDaemon.isAlive(process));
            signal("CONT", process);
        }
    }

    @Test
    void a_worker_that_a_debugger_has_stopped_is_not_killed() throws IOException {
        assumeTrue(Command.execute(List.of("sh", "-c", "command -v strace")).exitCode() == 0);
        try (var daemon = start(TIMEOUT);
                var host = TestHost.admitted(daemon)) {
            var process = spawn(host);
            var debugger = new ProcessBuilder("strace", "-qq", "-e", "trace=none", "-p", Long.toString(process))
                    .redirectErrorStream(true)
                    .start();
            Waiting.until("the worker is traced", () -> isTraced(process));
            signal("STOP", process);

            pass(TIMEOUT.multipliedBy(3));
            assertTrue(TestDaemon.isAlive(process));
            debugger.destroy();
            assertEquals(SIGKILL_STATUS, host.receive(Frame.WorkerGone.class).exitStatus());
        }
    }

    private static boolean isTraced(long process) {
        try {
            return Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
                    .anyMatch(line -> line.matches("TracerPid:\t[1-9][0-9]*"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_pause_of_the_service_does_not_count_against_its_workers() {
        try (var daemon = new DaemonProcess(
                        folder, Map.of(), "--listen", "unix:" + folder.resolve("socket"), "--hang-timeout", "1");
                var host = TestHost.admitted(new TestHost(daemon.address()))) {
            var process = spawn(host);

            daemon.signal("STOP");
            pass(Duration.ofSeconds(3));
            daemon.signal("CONT");

            pass(Duration.ofSeconds(2));
            assertTrue(TestDaemon.isAlive(process));
        }
    }
}

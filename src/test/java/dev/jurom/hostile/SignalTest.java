// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.EmbeddedWorkers;
import dev.jurom.fixture.ForkedJvm;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.EmbeddedService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests signals to a JVM with an embedded service and all libraries loaded. */
class SignalTest {

    private static final int SIGNALLED = 128; // exit status of a signal minus its number
    private static final int SIGKILL_STATUS = 137;

    private static ForkedJvm start() {
        var jvm = ForkedJvm.start(SignalProgram.class);
        Waiting.until(
                "the program is ready",
                () -> jvm.output().contains("ready") || !jvm.process().isAlive());
        assertFalse(jvm.output().contains("lacks"), jvm.output());
        return jvm;
    }

    private static void signal(ForkedJvm jvm, String name) {
        Command.run("kill", "-" + name, Long.toString(jvm.process().pid()));
    }

    private static boolean isIgnored(int signal) throws IOException {
        var mask = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(mask.substring("SigIgn:".length()).strip(), 16) >> signal - 1 & 1) != 0;
    }

    private static Path directory(ForkedJvm jvm) {
        return Path.of(jvm.output()
                .lines()
                .filter(line -> line.startsWith("directory "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(jvm.output()))
                .substring("directory ".length()));
    }

    @ParameterizedTest
    @CsvSource({"HUP, 129", "INT, 130", "TERM, 143"})
    void a_signal_ends_the_jvm_through_its_shutdown_hooks(String name, int status) throws Exception {
        assumeFalse(isIgnored(status - SIGNALLED), "as under nohup, inherited by every child");
        try (var jvm = start()) {
            var workers = EmbeddedWorkers.of(jvm.process());
            assertFalse(workers.isEmpty());

            signal(jvm, name);

            var result = jvm.await();
            assertEquals(status, result.exitCode(), result.output());
            assertTrue(result.output().contains("hook"), result.output());
            Waiting.until("its workers have exited", () -> workers.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void the_next_service_removes_files_of_a_killed_jvm_but_not_of_a_live_one() {
        try (var living = start();
                var victim = start()) {
            var left = directory(victim);
            var used = directory(living);
            signal(victim, "KILL");
            assertEquals(SIGKILL_STATUS, victim.await().exitCode());
            assertTrue(Files.exists(left.resolve("urom.sock")));

            try (var next = EmbeddedService.open()) {
                assertTrue(Files.exists(next.serviceFile()));
                Waiting.until("nothing is left of the killed JVM", () -> !Files.exists(left) || openAndClose());
                assertTrue(Files.exists(used.resolve("urom.sock")));
            }
        }
    }

    /** Starts another service, since the lock of a process may be released after its exit. */
    private static boolean openAndClose() {
        EmbeddedService.open().close();
        return false;
    }

    @Test
    void a_service_survives_the_removal_of_its_directory() throws Exception {
        var service = EmbeddedService.open();
        var directory = service.serviceFile().getParent();
        try (var files = Files.newDirectoryStream(directory)) {
            for (var file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);

        service.close();
        service.close();

        try (var next = EmbeddedService.open()) {
            assertTrue(Files.exists(next.serviceFile()));
        }
    }
}

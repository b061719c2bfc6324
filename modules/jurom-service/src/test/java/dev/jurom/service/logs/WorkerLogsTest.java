// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.DaemonProcess;
import dev.jurom.service.TestDaemon;
import dev.jurom.service.TestHost;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.settings.LogSettings;
import dev.jurom.service.wire.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests when the log of a worker is created and moved, and the behavior if it cannot be written. */
class WorkerLogsTest {

    /** Prints each line that the test adds to a file. */
    private static final String PRINT = "exec tail -s 0.01 -n +1 -f ";

    @TempDir
    private Path folder;

    private Path lines;
    private Path logs;

    @BeforeEach
    void makeFolders() throws IOException {
        lines = Files.createFile(folder.resolve("lines"));
        logs = Files.createDirectory(folder.resolve("logs"));
    }

    private DaemonProcess start(String... before) {
        var program = TestDaemon.script(folder, TestDaemon.write(new Frame.Ready(0, 1)), PRINT + lines + " >&2");
        return new DaemonProcess(
                folder,
                List.of(before),
                Map.of("UROM_PLUGIN_PATH", TestDaemon.onePlugin(folder).toString()),
                "--worker",
                program.toString(),
                "--listen",
                "unix:" + folder.resolve("socket"),
                "--log-dir",
                logs.toString());
    }

    private void print(String line) throws IOException {
        Files.writeString(lines, line + '\n', StandardOpenOption.APPEND);
    }

    /** Spawns a worker and returns its log, which may not exist. */
    private Path spawn(TestHost host) {
        host.spawnAny(1);
        var worker = host.receive(Frame.Spawned.class).processId();
        return logs.resolve("urom_worker_" + worker + "_dev.log");
    }

    private static boolean is(String text, Path file) {
        try {
            return Files.exists(file) && Files.readString(file).equals(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_log_is_made_with_the_first_line_and_again_after_it_was_moved() throws IOException {
        try (var daemon = start();
                var host = TestHost.admitted(new TestHost(daemon.address()))) {
            var log = spawn(host);
            assertFalse(Files.exists(log), "a worker that has printed nothing has a log");

            print("one");
            Waiting.until("the first line is in " + log, () -> is("one\n", log));

            var moved = Files.move(log, folder.resolve("moved"));
            var own = logs.resolve(LogSettings.FILE_NAME);
            Files.move(own, folder.resolve("moved service"));
            daemon.hangUp();
            Waiting.until("the service has a new log", () -> Files.exists(own));
            print("two");

            Waiting.until("the second line is in the new log", () -> is("two\n", log));
            assertEquals("one\n", Files.readString(moved));
        }
    }

    @Test
    void a_worker_starts_and_runs_without_room_for_its_log() throws IOException {
        assumeTrue(Credentials.ofThisProcess().mayChangeUser(), "may not mount");
        var mount = "mount -t tmpfs -o nr_inodes=3,mode=700 none " + logs + " && exec \"$@\"";
        try (var daemon = start("unshare", "--mount", "sh", "-c", mount, "sh");
                var host = TestHost.admitted(new TestHost(daemon.address()))) {
            var inside = Path.of("/proc/" + daemon.id() + "/root");
            var log = Path.of(inside + spawn(host).toString());
            var own = Path.of(inside + logs.resolve(LogSettings.FILE_NAME).toString());
            print("one");
            Waiting.until("the loss is reported", () -> reports(own) == 1);
            print("two");
            assertFalse(Files.exists(log));

            Command.run(
                    "nsenter",
                    "--mount",
                    "--target",
                    Long.toString(daemon.id()),
                    "mount",
                    "-o",
                    "remount,nr_inodes=10",
                    logs.toString());
            print("three");

            Waiting.until("the last line is in the log", () -> is("three\n", log) || is("two\nthree\n", log));
            assertEquals(1, reports(own));
            assertTrue(spawn(host).toString().endsWith("_dev.log"));
        }
    }

    private static long reports(Path log) {
        try (var all = Files.lines(log)) {
            return all.filter(line -> line.contains("are lost")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

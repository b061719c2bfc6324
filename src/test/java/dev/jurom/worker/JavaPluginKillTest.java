// SPDX-License-Identifier: Apache-2.0
package dev.jurom.worker;

import static dev.jurom.worker.ProbePlugin.PROBE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.fixture.OtherThread;
import dev.jurom.fixture.ServiceFixture;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.EmbeddedService;
import dev.jurom.worker.ProbePlugin.Action;
import dev.jurom.worker.ProbePlugin.Request;
import dev.jurom.worker.internal.PluginFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a worker that is killed in any phase of a plugin in Java leaves no process and no file. */
class JavaPluginKillTest {

    private static final String FOLDER = "jurom.test.folder";
    private static final long TIMEOUT_SECONDS = 30;

    @TempDir
    Path folder;

    private Set<String> filesBefore;
    private EmbeddedService service;
    private Urom urom;

    /** Blocks in the phase that a file in a folder names, and creates another file when it is reached. */
    public static final class PhasePlugin implements WorkerPlugin {

        private static void reach(String phase) {
            var folder = Path.of(System.getProperty(FOLDER));
            try {
                if (Files.exists(folder.resolve(phase))) {
                    Files.createFile(folder.resolve("reached"));
                    Thread.sleep(Long.MAX_VALUE);
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String name() {
            return ProbePlugin.NAME;
        }

        @Override
        public long version() {
            return 1;
        }

        @Override
        public void open() {
            reach("open");
        }

        @Override
        public void command(Command command, Responder responder) {
            reach("command");
            var later = responder.defer();
            Thread.ofPlatform().daemon().start(() -> {
                reach("deferral");
                later.reply(Request.of(Action.ECHO, "answered"), ProbePlugin.REQUEST);
            });
        }

        @Override
        public void close() {
            reach("close");
        }
    }

    @BeforeEach
    void open() throws IOException {
        PluginFolder.writeLinked(folder, PhasePlugin.class);
        var properties = folder.resolve(ProbePlugin.NAME + ".properties");
        Files.writeString(
                properties,
                Files.readString(properties).replaceAll("options=", "options=-D" + FOLDER + "=" + folder + " "));
        filesBefore = files();
        service =
                EmbeddedService.open(usual -> usual.toBuilder().plugins(folder).build());
        urom = Urom.open();
    }

    @AfterEach
    void close() throws IOException {
        Files.deleteIfExists(folder.resolve("reached"));
        try (var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
            assertEquals(
                    "answered", worker.call(PROBE, Request.of(Action.ECHO, "")).text());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        urom.close();
        service.close();
        assertEquals(filesBefore, files());
    }

    /** Returns the files of the plugin, and those that the JVM of a worker would leave. */
    private Set<String> files() {
        var names = new TreeSet<>(List.of(folder.toFile().list()));
        names.addAll(List.of(Path.of("/tmp").toFile().list((parent, name) -> name.startsWith(".java_pid"))));
        return names;
    }

    private void killAt(String phase, Runnable waiting) throws IOException {
        waiting.run();
        var killed = ServiceFixture.workerProcesses();
        assertEquals(1, killed.size(), "processes in the phase " + phase);
        assertTrue(killed.getFirst().destroyForcibly());
        Waiting.until(
                "the end of the worker", () -> ServiceFixture.workerProcesses().isEmpty());
        var counters = Path.of("/tmp/hsperfdata_" + System.getProperty("user.name"));
        assertFalse(Files.exists(counters.resolve("" + killed.getFirst().pid())));
        Files.deleteIfExists(folder.resolve(phase));
    }

    private Runnable isReached() {
        return () -> Waiting.until("the phase", () -> Files.exists(folder.resolve("reached")));
    }

    private static DocaException failure(CompletableFuture<?> result) {
        var failure = assertThrows(ExecutionException.class, () -> result.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        return assertInstanceOf(DocaException.class, failure.getCause());
    }

    private static boolean isJvmMapped(ProcessHandle worker) {
        try {
            return Files.readString(Path.of("/proc/" + worker.pid() + "/maps")).contains("libjvm.so");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void at_the_start_of_the_jvm() throws IOException {
        Files.createFile(folder.resolve("open")); // it must not get further
        var start =
                urom.startWorkerAsync(WorkerConfiguration.of(ProbePlugin.NAME)).toCompletableFuture();

        killAt(
                "open",
                () -> Waiting.until(
                        "the JVM",
                        () -> ServiceFixture.workerProcesses().stream().anyMatch(JavaPluginKillTest::isJvmMapped)));

        assertTrue(failure(start).getMessage().contains("ended before it was ready"));
    }

    @Test
    void when_the_plugin_opens() throws IOException {
        Files.createFile(folder.resolve("open"));
        var start =
                urom.startWorkerAsync(WorkerConfiguration.of(ProbePlugin.NAME)).toCompletableFuture();

        killAt("open", isReached());

        assertTrue(failure(start).getMessage().contains("ended before it was ready"));
    }

    @Test
    void in_a_command() throws Exception {
        failsACommand("command");
    }

    @Test
    void before_a_deferred_answer() throws Exception {
        failsACommand("deferral");
    }

    private void failsACommand(String phase) throws Exception {
        Files.createFile(folder.resolve(phase));
        try (var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME))) {
            var answer = OtherThread.start("caller", () -> worker.call(PROBE, Request.of(Action.ECHO, "")));

            killAt(phase, isReached());

            var failure = failure(answer);
            assertEquals(DocaError.CONNECTION_RESET, failure.error());
            assertTrue(failure.getMessage().contains("signal 9 (SIGKILL)"), failure.getMessage());
        }
    }

    @Test
    void when_the_plugin_closes() throws Exception {
        Files.createFile(folder.resolve("close"));
        var worker = urom.startWorker(WorkerConfiguration.of(ProbePlugin.NAME));
        var closed = OtherThread.start("closer", () -> {
            worker.close();
            return true;
        });

        killAt("close", isReached());

        closed.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}

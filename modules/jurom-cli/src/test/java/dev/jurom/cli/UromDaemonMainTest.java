// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the arguments of {@code urom-daemon}. */
class UromDaemonMainTest {

    @TempDir
    private Path folder;

    @Test
    void its_arguments_are_those_of_the_service_guide() throws IOException {
        var logs = folder.resolve("logs");
        try (var daemon = DaemonProgram.listening(
                folder,
                Map.of(),
                "-l",
                "60",
                "--sdk-log-level",
                "50",
                "-m",
                "65536",
                "--cores",
                "4",
                "--log-dir",
                logs.toString())) {
            daemon.visit(65536, (engine, service) -> {
                assertEquals(CpuSet.range(0, 3), service.cpuSet());
                var plugin = GraphPlugin.find(service);
                try (var worker = UromWorker.create(engine, service).setPlugins(plugin)) {
                    worker.startAndWait(Duration.ofSeconds(20));
                    Waiting.until("the worker logs", () -> workerLog(logs).contains("[INF]"));
                }
            });
            var log = Files.readString(logs.resolve("urom_daemon_dev.log"));
            assertTrue(log.contains("[DBG]"), log);
            assertTrue(
                    log.matches("(?s)\\[[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"
                            + ":[0-9]{6}[+-][0-9]{4}]\\[[0-9]+]\\[UROM].*"),
                    log);
            assertEquals("", daemon.error());
        }
    }

    @Test
    void it_states_its_release_and_the_version_of_the_java_runtime() {
        var result = Command.execute(Programs.daemonWords("--version"));

        assertEquals(0, result.exitCode(), result::output);
        assertTrue(
                result.output().matches("urom-daemon [0-9.]+\nJDK \\Q" + Runtime.version() + "\\E\n"), result::output);
    }

    private static String workerLog(Path logs) {
        try (var files = Files.newDirectoryStream(logs, "urom_worker_*_dev.log")) {
            var file = files.iterator();
            return file.hasNext() ? Files.readString(file.next()) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void plugins_come_from_the_plugin_path() throws IOException {
        var usual = DaemonConfiguration.usual().pluginDirectories().getFirst();
        var own = Files.createDirectory(folder.resolve("own"));
        Files.copy(usual.resolve("worker_graph.so"), own.resolve("mine.so"));
        var path = folder.resolve("missing") + ";" + own + ";" + usual;
        try (var daemon = DaemonProgram.listening(folder, Map.of("UROM_PLUGIN_PATH", path))) {
            daemon.visit(UromService.DEFAULT_MAX_MESSAGE_SIZE, (engine, service) -> {
                var names = service.plugins().stream().map(PluginInfo::name).toList();

                assertEquals("mine", names.getFirst());
                assertTrue(names.contains("worker_graph"), names::toString);
            });
            assertTrue(daemon.error().contains(folder.resolve("missing") + " is skipped"), daemon::error);
        }
    }

    private void assertNotStarted(String words, String... arguments) {
        try (var daemon = new DaemonProgram(folder, Map.of(), arguments)) {
            assertEquals(78, daemon.awaitEnd(), daemon::error); // EX_CONFIG
            assertTrue(daemon.error().contains(words), daemon::error);
            assertFalse(daemon.error().contains("\tat "), daemon::error);
            assertEquals("", daemon.output());
        }
    }

    @Test
    void wrong_arguments_are_reported_in_one_sentence() {
        assertNotStarted("The maximum message size is 10", "-m", "10");
        assertNotStarted("\"nowhere\" is neither unix:PATH nor HOST:PORT", "--listen", "nowhere");
        assertNotStarted("without a key", "--listen", "127.0.0.1:0");
        assertNotStarted("both --key and --authorized-hosts", "--key", "a");
        assertNotStarted(
                "--worker-ports \"7500\" is not LOW-HIGH",
                "--key",
                "a",
                "--authorized-hosts",
                "b",
                "--worker-ports",
                "7500");
        assertNotStarted("--worker-ports is for hosts of other machines", "--worker-ports", "9-1");
        assertNotStarted("--data must be tls or ucx, not \"rdma\"", "--data", "rdma");
        assertNotStarted("--data ucx is for hosts of other machines", "--data", "ucx");
        assertNotStarted("worker program", "--worker", folder.resolve("none").toString());
        assertNotStarted(
                "service file",
                "--listen",
                "unix:" + folder.resolve("socket"),
                "--service-file",
                folder.resolve("none/file").toString());
    }

    @Test
    void an_address_in_use_is_not_a_configuration_error() throws IOException {
        var socket = "unix:" + folder.resolve("socket");
        try (var first = DaemonProgram.listening(folder, Map.of());
                var second = new DaemonProgram(folder, Map.of(), "--listen", socket)) {
            assertEquals(1, second.awaitEnd(), second::error);
            assertTrue(second.error().contains("cannot listen at " + socket), second::error);
        }
    }

    @Test
    void a_check_of_a_wrong_configuration_exits_with_1() {
        var missing = folder.resolve("none").toString();
        try (var daemon = new DaemonProgram(folder, Map.of(), "--check", "--worker", missing)) {
            assertEquals(1, daemon.awaitEnd(), daemon::error);
        }
    }

    @Test
    void help_lists_the_limits() {
        try (var daemon = new DaemonProgram(folder, Map.of(), "--help")) {
            assertEquals(0, daemon.awaitEnd());
            for (var option : List.of(
                    "--max-connections-per-user",
                    "--max-unauthenticated",
                    "--handshake-timeout",
                    "--max-workers-per-user",
                    "--max-env-size",
                    "--max-references",
                    "--hang-timeout",
                    "--worker-memory",
                    "--worker-files",
                    "--worker-tasks",
                    "--worker-tasks-per-user",
                    "--log-size",
                    "--plugin-transports",
                    "--authorized-hosts",
                    "--data")) {
                assertTrue(daemon.output().contains(option), option);
            }
        }
    }

    @Test
    void an_unknown_argument_is_named() {
        try (var daemon = new DaemonProgram(folder, Map.of(), "--colour", "blue")) {
            assertEquals(2, daemon.awaitEnd());
            assertTrue(daemon.error().contains("--colour"), daemon::error);
        }
    }

    @Test
    void the_plugin_path_is_parsed() {
        assertEquals(List.of(Path.of("/a"), Path.of("/b c")), UromDaemonMain.pluginDirectories("/a; /b c ;;"));
        assertEquals(List.of(), UromDaemonMain.pluginDirectories(""));
        assertEquals(DaemonConfiguration.usual().pluginDirectories(), UromDaemonMain.pluginDirectories(null));
    }

    /** As in the image of the service. */
    @Test
    void options_in_a_variable_precede_the_arguments() {
        var words = new ArrayList<>(
                Programs.daemonWords("--check", "--listen", "unix:" + folder.resolve("socket"), "--log-files=3"));
        words.add(1, "-Djurom.daemon.options.variable=SERVICE_ARGS");

        var wrong = Programs.run(Map.of("SERVICE_ARGS", " -l 60  -m 10 "), words);
        assertEquals(1, wrong.exitCode(), wrong.error());
        assertTrue(wrong.error().contains("The maximum message size is 10"), wrong.error());

        var right = Programs.run(Map.of("SERVICE_ARGS", "-l 60 -m 4096"), words);
        assertEquals(0, right.exitCode(), right.error());
        assertEquals(0, Programs.run(Map.of("SERVICE_ARGS", ""), words).exitCode());
    }
}

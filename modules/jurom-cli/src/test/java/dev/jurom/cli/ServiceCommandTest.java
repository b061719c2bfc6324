// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.cli.shell.ExitCode;
import dev.jurom.fixture.Command;
import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import dev.jurom.service.KeyPairFile;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.status.VisibleServices;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the commands for a running daemon. */
class ServiceCommandTest {

    private static final Path PLUGINS =
            DaemonConfiguration.usual().pluginDirectories().getFirst();

    private static final String FORGED =
            "[2026-01-01 00:00:00:000000][1][UROM][ERR][DAEMON] the service was taken over";
    private static final long SPARSE_BYTES = 256L << 20;

    @TempDir
    private Path folder;

    /** Runs a command as a program that finds the service by the variable. */
    private Programs.Printed program(String... words) {
        return Programs.uromFrom(
                Map.of("DOCA_UROM_SERVICE_FILE", folder.resolve("services").toString()), words);
    }

    /** Runs a command for the service in this JVM. */
    private Programs.Printed urom(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--service", folder.resolve("services").toString()));
        return Programs.uromHere(all.toArray(String[]::new));
    }

    @Test
    void status_and_workers_show_the_running_service() {
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            daemon.visit(UromService.DEFAULT_MAX_MESSAGE_SIZE, (engine, service) -> {
                try (var worker = UromWorker.create(engine, service)
                        .setPlugins(GraphPlugin.find(service))
                        .setGroup(7)
                        .setId(1234)) {
                    worker.startAndWait(Duration.ofSeconds(20));

                    var workers = program("workers", "--json");
                    var status = program("service", "status");

                    assertTrue(
                            workers.output()
                                    .matches("\\[\\{\"worker\": \"1234\", \"process\":"
                                            + " \\d+, \"user\": \".+\", \"group\": 7, \"state\": \"ready\","
                                            + " \"references\": 1, .*\"plugins\": \\[\"worker_graph\"]}]\n"),
                            workers::output);
                    assertTrue(status.output().contains("daemon"), status::output);
                    assertTrue(status.output().contains("unix:" + folder.resolve("socket")));
                    assertTrue(status.output().contains("worker_sandbox"));
                    assertTrue(
                            status.output().lines().anyMatch(line -> line.matches("not accepted +0")), status::output);
                    assertTrue(
                            status.output().lines().anyMatch(line -> line.matches("authorized hosts +-")),
                            status::output);
                    assertTrue(
                            program("service", "status", "--json").output().contains("\"authorized_hosts\": null,"),
                            status::output);
                    assertTrue(
                            status.output().lines().anyMatch(line -> line.matches(" +1234 .*worker_graph")),
                            status::output);
                }
            });
            assertEquals("[]\n", program("workers", "--json").output());
            var plugins = program("plugins", "--json");
            assertTrue(plugins.output().contains("{\"name\": \"worker_graph\", \"version\": 1,"), plugins::output);
        }
    }

    @Test
    void a_new_plugin_is_offered_after_a_rescan_and_logged() throws IOException {
        var own = Files.createDirectory(folder.resolve("own"));
        Files.copy(PLUGINS.resolve("worker_graph.so"), own.resolve("first.so"));
        var logs = folder.resolve("logs");
        try (var daemon = DaemonProgram.listening(
                folder, Map.of("UROM_PLUGIN_PATH", own.toString()), "--log-dir", logs.toString())) {
            Files.move(own.resolve("first.so"), own.resolve("renamed.so"));
            Files.copy(PLUGINS.resolve("worker_graph.so"), own.resolve("second.so"));

            var rescan = urom("service", "rescan", "--json");
            var log = urom("service", "logs", "-n", "50");

            assertEquals(ExitCode.DONE, rescan.exitCode(), rescan::error);
            for (var part : new String[] {
                "\"renamed\", \"version\": 1, \"change\": \"new\"",
                "\"second\", \"version\": 1, \"change\": \"new\"",
                "\"first\", \"version\": 1, \"change\": \"gone\""
            }) {
                assertTrue(rescan.output().contains(part), rescan::output);
            }
            assertTrue(log.output().contains("second.so has id"), log::output);
            assertEquals(1, urom("service", "logs", "-n", "1").output().lines().count());
            assertEquals(
                    log.output(),
                    urom("service", "logs", "-n", "50", "--log-dir", logs.toString())
                            .output());
        }
    }

    @Test
    void a_rescan_and_a_check_report_a_wrong_entry() throws IOException {
        var certificate = KeyPairFile.create(folder.resolve("key"), "service");
        var user = System.getProperty("user.name");
        var entry = "account: " + (user.equals("root") ? "daemon" : user) + "\n" + certificate;
        var hosts = Files.writeString(folder.resolve("hosts"), entry);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var worker = PublicInstallation.in(folder).resolve("bin/urom_worker").toString();
        var words = new String[] {
            "--listen",
            "127.0.0.1:0",
            "--worker",
            worker,
            "--key",
            folder.resolve("key").toString(),
            "--authorized-hosts",
            hosts.toString()
        };
        try (var daemon = DaemonProgram.listening(folder, Map.of(), words)) {
            var good = urom("service", "rescan");
            Files.writeString(hosts, "x" + entry);

            var wrong = urom("service", "rescan");
            var status = urom("service", "status");
            var ready = urom("service", "status", "--ready");

            assertEquals(ExitCode.DONE, status.exitCode(), status::error);
            assertEquals(ExitCode.FOUND_WRONG, ready.exitCode(), ready::error);
            assertEquals(ExitCode.DONE, good.exitCode(), good::error);
            assertTrue(good.error().contains("accepts 1 host of"), good::error);
            assertEquals(ExitCode.FOUND_WRONG, wrong.exitCode());
            assertTrue(wrong.error().contains(hosts + ", line 1: \"xaccount: "), wrong::error);
            assertTrue(wrong.error().contains("accepts 0 hosts of"), wrong::error);
            assertTrue(status.output().contains("line 1: \"xaccount: "), status::output);
        }
        assertEquals(1, check(words));
        Files.writeString(hosts, entry);
        assertEquals(0, check(words));
    }

    /** Compiles a plugin whose probe creates a file and then takes seconds. */
    private void makeSlowPlugin(Path library, Path begun) throws IOException {
        var source = Files.writeString(folder.resolve("slow.c"), """
                #include <fcntl.h>
                #include <unistd.h>
                __attribute__((constructor)) static void begin(void)
                {
                    close(open("%s", O_CREAT | O_WRONLY, 0600));
                    sleep(3);
                }
                """.formatted(begun));
        Command.run("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString());
        Files.setPosixFilePermissions(library, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void a_rescan_reports_a_reload_that_began_after_it() throws IOException {
        var certificate = KeyPairFile.create(folder.resolve("key"), "service");
        var user = System.getProperty("user.name");
        var entry = "account: " + (user.equals("root") ? "daemon" : user) + "\n" + certificate;
        var hosts = Files.writeString(folder.resolve("hosts"), entry);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var all = Files.createDirectory(folder.resolve("all")); // a probe runs as another user
        Files.setPosixFilePermissions(all, PosixFilePermissions.fromString("rwxrwxrwx"));
        var begun = all.resolve("begun");
        var plugins = Files.createDirectory(folder.resolve("plugins"));
        makeSlowPlugin(plugins.resolve("slow.so"), begun);
        try (var daemon = DaemonProgram.listening(
                folder,
                Map.of("UROM_PLUGIN_PATH", plugins.toString()),
                "--listen",
                "127.0.0.1:0",
                "--worker",
                PublicInstallation.in(folder).resolve("bin/urom_worker").toString(),
                "--key",
                folder.resolve("key").toString(),
                "--authorized-hosts",
                hosts.toString())) {
            Files.delete(begun);
            daemon.hangUp();
            Waiting.until("the first reload has read the hosts", () -> Files.exists(begun));
            Files.writeString(hosts, "x" + entry);

            var rescan = urom("service", "rescan");

            assertEquals(ExitCode.FOUND_WRONG, rescan.exitCode(), rescan::error);
            assertTrue(rescan.error().contains(hosts + ", line 1: \"xaccount: "), rescan::error);
        }
    }

    private int check(String... words) {
        var all = Arrays.copyOf(words, words.length + 1);
        all[words.length] = "--check";
        try (var daemon = new DaemonProgram(folder, Map.of(), all)) {
            return daemon.awaitEnd();
        }
    }

    @Test
    void an_embedded_service_is_shown_and_receives_no_signal_that_would_end_its_program() {
        try (var embedded = EmbeddedService.open()) {
            var process = Long.toString(ProcessHandle.current().pid());

            var status = program("service", "status", "--service", process, "--json");
            var rescan = program("service", "rescan", "--service", process);

            assertTrue(
                    status.output()
                            .startsWith(
                                    "{\"process\": " + process + ", \"kind\": \"embedded\", \"state\": \"running\""),
                    status::output);
            assertEquals(ExitCode.FOUND_WRONG, rescan.exitCode());
            assertTrue(rescan.error().contains("is embedded in a program"), rescan::error);
        }
    }

    @Test
    void a_stopped_daemon_is_shown_as_stopped() throws IOException {
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            var before = urom("service", "status", "--json").output();
            var process = before.replaceFirst("(?s).*\"process\": (\\d+).*", "$1");
            Command.run("sh", "-c", "kill -STOP " + process);

            var after = urom("service", "status", "--json");

            assertTrue(before.contains("\"state\": \"running\""), before);
            assertTrue(after.output().contains("\"state\": \"stopped\""), after::output);
            assertEquals(ExitCode.LOST, after.exitCode());
        }
    }

    @Test
    void a_service_of_another_release_prevents_no_reload_and_no_inspection_of_others() throws IOException {
        try (var daemon = DaemonProgram.listening(folder, Map.of());
                var embedded = EmbeddedService.open()) {
            var own = VisibleServices.find().running().stream()
                    .filter(status -> status.addresses().contains(embedded.address()))
                    .findFirst()
                    .orElseThrow();
            var other = Files.createDirectory(own.directory().resolveSibling("s-00000000000000ff"));
            var file = Files.writeString(other.resolve("status"), "jurom-status 999\nSECRET\nend\n");
            try {
                var rescan = program("service", "rescan");
                var status = program("service", "status");
                var metrics = program("metrics");

                assertEquals(ExitCode.DONE, rescan.exitCode(), rescan::error);
                assertEquals(ExitCode.DONE, status.exitCode(), status::error);
                assertTrue(status.error().contains("cannot be read: another release may run there"), status::error);
                assertEquals(ExitCode.DONE, metrics.exitCode(), metrics::error);
                assertTrue(metrics.output().contains("\njurom_services 1\n"), metrics::output);
                assertTrue(metrics.output().contains("\njurom_services_unreadable{"), metrics::output);
                assertFalse((status.error() + status.output() + metrics.output()).contains("SECRET"));
            } finally {
                Files.delete(file);
                Files.delete(other);
            }
        }
    }

    @Test
    void new_log_lines_are_followed() throws IOException {
        var output = folder.resolve("followed");
        try (var daemon = DaemonProgram.listening(
                folder, Map.of(), "--log-dir", folder.resolve("logs").toString())) {
            var builder = new ProcessBuilder(Programs.uromWords(
                            "service",
                            "logs",
                            "-f",
                            "-n",
                            "1",
                            "--service",
                            folder.resolve("services").toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            var follower = builder.start();
            try {
                Waiting.until("the last line", () -> read(output).contains("listens at"));
                urom("service", "rescan");
                Waiting.until("a new line", () -> read(output).contains("reloads its authorized hosts and plugins"));
                daemon.close();
                Waiting.until("it has ended", () -> !follower.isAlive());
                assertEquals(ExitCode.DONE, follower.exitValue(), () -> read(output));
            } finally {
                follower.destroyForcibly();
            }
        }
    }

    @Test
    void a_workers_log_cannot_steer_the_terminal_or_pass_for_a_line_of_the_service() throws IOException {
        var logs = folder.resolve("logs");
        try (var daemon = DaemonProgram.listening(folder, Map.of(), "--log-dir", logs.toString())) {
            Files.writeString(
                    logs.resolve("urom_worker_4711_dev.log"),
                    "\u001b]0;title\u0007\u001b[2J\rover\n" + FORGED + "\nlast, without an end");

            var log = urom("service", "logs", "-w", "4711");

            assertEquals(
                    "worker 4711: \\u001b]0;title\\u0007\\u001b[2J\\u000dover\n" + "worker 4711: " + FORGED + "\n",
                    log.output());
        }
    }

    @Test
    void a_line_without_an_end_takes_no_memory() throws Exception {
        var logs = folder.resolve("logs");
        var log = logs.resolve("urom_worker_4711_dev.log");
        var output = folder.resolve("followed");
        try (var daemon = DaemonProgram.listening(folder, Map.of(), "--log-dir", logs.toString())) {
            Files.writeString(log, "first\n");
            var builder = new ProcessBuilder(Programs.uromWords(
                            "service",
                            "logs",
                            "-f",
                            "-w",
                            "4711",
                            "--service",
                            folder.resolve("services").toString()))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().put("JDK_JAVA_OPTIONS", "-Xmx64m");
            var follower = builder.start();
            try {
                Waiting.until("the first line", () -> read(output).contains("first\n"));
                var sparse = folder.resolve("sparse");
                try (var file = FileChannel.open(sparse, CREATE_NEW, WRITE)) {
                    file.write(ByteBuffer.wrap("\nlast\n".getBytes()), SPARSE_BYTES);
                }
                Files.move(sparse, log, REPLACE_EXISTING);

                Waiting.until("the last line", () -> {
                    assertTrue(follower.isAlive(), () -> read(output));
                    return read(output).endsWith("worker 4711: last\n");
                });
                assertTrue(
                        Files.size(output) < 100_000,
                        () -> "printed " + output.toFile().length());
            } finally {
                follower.destroyForcibly();
            }
        }
    }

    @Test
    void a_log_that_is_a_pipe_or_a_link_is_not_opened() throws IOException {
        var logs = folder.resolve("logs");
        try (var daemon = DaemonProgram.listening(folder, Map.of(), "--log-dir", logs.toString())) {
            Command.run("mkfifo", logs.resolve("urom_worker_1_dev.log").toString());
            Files.createSymbolicLink(logs.resolve("urom_worker_2_dev.log"), logs.resolve("urom_daemon_dev.log"));

            for (var worker : new String[] {"1", "2"}) {
                var log = urom("service", "logs", "-w", worker);

                assertEquals(ExitCode.FILE, log.exitCode(), log::output);
                assertTrue(log.error().contains("is not a regular file"), log::error);
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_service_without_log_files_says_where_its_log_is() {
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            var result = urom("service", "logs");

            assertEquals(ExitCode.FOUND_WRONG, result.exitCode());
            assertTrue(result.error().contains("does not log to a file"), result::error);
        }
    }

    @Test
    void service_files_are_written_and_checked() throws IOException {
        var file = folder.resolve("file");
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            var written = Programs.uromHere(
                    "service",
                    "file",
                    "write",
                    file.toString(),
                    "--address",
                    "unix:" + folder.resolve("socket"),
                    "--device",
                    "0000:00:00.0");
            var good = Programs.uromHere("service", "file", "check", file.toString());
            Files.writeString(
                    file,
                    "# comment\nlocalhost dpu\nelsewhere dpu x 0000:00:00.0 all\n" + "localhost dpu unix:"
                            + folder.resolve("none") + " 0000:00:00.0 all\n");
            var bad = Programs.uromHere("service", "file", "check", file.toString());

            assertEquals("localhost dpu unix:" + folder.resolve("socket") + " 0000:00:00.0 all\n", written.output());
            assertEquals(ExitCode.DONE, good.exitCode(), good::output);
            assertEquals(ExitCode.FOUND_WRONG, bad.exitCode(), bad::output);
            assertTrue(
                    bad.output().contains("   2  fail    " + file + ", line 2: the number of words is 2"), bad::output);
            assertTrue(bad.output().contains("   3  pass    is for another host, elsewhere"));
            assertTrue(bad.output().contains("   4  fail    there is no "), bad::output);
        }
    }

    /** As the library does. */
    @Test
    void short_pci_addresses_and_full_host_names_are_accepted() throws IOException {
        var file = folder.resolve("file");
        var name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        var other = name.contains(".") ? name.replaceFirst("[.].*", "") : name + ".cluster.example";
        try (var daemon = DaemonProgram.listening(folder, Map.of())) {
            var socket = "unix:" + folder.resolve("socket");
            Files.writeString(file, other + " dpu " + socket + " 00:00.0 all\n");

            var check = Programs.uromHere("service", "file", "check", file.toString());
            var status = Programs.uromHere("service", "status", "--service", file.toString());
            var ping = Programs.uromHere("ping", "-n", "1", "--service", file.toString());

            assertEquals(ExitCode.DONE, check.exitCode(), check::output);
            assertTrue(check.output().contains("maps this host's device 0000:00:00.0 to " + socket), check::output);
            assertEquals(ExitCode.DONE, status.exitCode(), status::error);
            assertEquals(ExitCode.DONE, ping.exitCode(), ping::error);
        }
    }

    @Test
    void devices_are_listed() {
        var result = Programs.uromHere("devices", "--json");

        assertTrue(
                result.output().startsWith("[{\"pci_address\": \"0000:00:00.0\", \"interface\":" + " \"soft0\""),
                result::output);
    }
}

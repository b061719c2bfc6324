// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import dev.jurom.service.KeyPairFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that commands show the hosts that are connected by TLS, as those of other machines are. */
class RemoteHostsTest {

    private static final Pattern ADDRESS = Pattern.compile("urom service listening on (127\\.0\\.0\\.1:\\d+)");

    @TempDir
    private Path folder;

    /** Runs a command for the service. */
    private Programs.Printed urom(String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--service", folder.resolve("services").toString()));
        return Programs.uromHere(all.toArray(String[]::new));
    }

    private String createKey(String name) throws IOException {
        return KeyPairFile.create(folder.resolve(name), name);
    }

    /** Starts a service that also listens for TLS connections and accepts {@code host.key}. */
    private DaemonProgram daemon() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var user = System.getProperty("user.name");
        var certificate = createKey("service.key");
        var hosts = Files.writeString(
                folder.resolve("hosts"),
                "account: " + (user.equals("root") ? "daemon" : user) + "\n" + createKey("host.key"));
        Files.writeString(folder.resolve("host.key"), certificate, StandardOpenOption.APPEND);
        createKey("stranger.key");
        Files.writeString(folder.resolve("stranger.key"), certificate, StandardOpenOption.APPEND);
        var installation = PublicInstallation.in(folder);
        return DaemonProgram.listening(
                folder,
                Map.of(
                        "UROM_PLUGIN_PATH",
                        installation.resolve("lib/urom_plugins").toString()),
                "--listen",
                "127.0.0.1:0",
                "--worker",
                installation.resolve("bin/urom_worker").toString(),
                "--key",
                folder.resolve("service.key").toString(),
                "--authorized-hosts",
                hosts.toString());
    }

    private static String tlsAddress(DaemonProgram daemon) {
        var address = ADDRESS.matcher(daemon.output());
        assertTrue(address.find(), daemon::output);
        return address.group(1);
    }

    @Test
    void status_and_stat_show_a_host_while_it_is_connected() throws IOException {
        try (var daemon = daemon()) {
            var fingerprint = Programs.uromHere(
                            "key", "fingerprint", folder.resolve("host.key").toString())
                    .output()
                    .strip();
            var ping = ping(tlsAddress(daemon));
            try {
                for (var command : List.of(List.of("stat"), List.of("service", "status"))) {
                    Waiting.until("the host is shown", () -> {
                        var shown = urom(command.toArray(String[]::new)).output();
                        return shown.lines()
                                .anyMatch(
                                        line -> line.matches(" +\\d+ +127\\.0\\.0\\.1:\\d+ +\\d+ +1 .*" + fingerprint));
                    });
                }
            } finally {
                ping.destroyForcibly();
            }
            Waiting.until(
                    "the host is no longer shown",
                    () -> urom("stat", "--json").output().contains("\"remote_hosts\": []"));
            assertEquals(
                    2,
                    daemon.error()
                            .lines()
                            .filter(line -> line.contains("certificate=" + fingerprint))
                            .count());
        }
    }

    /** An alert counts failed authentications, which checks of hosts with a key must not cause. */
    @Test
    void doctor_and_check_authenticate_once() throws IOException {
        try (var daemon = daemon()) {
            var remote = folder.resolve("remote");
            Files.writeString(
                    remote,
                    "localhost dpu " + tlsAddress(daemon) + " 0000:00:00.0 all\n" + "localhost dpu "
                            + tlsAddress(daemon) + " 0000:00:00.0 all\n");

            for (var command : List.of("doctor", "doctor --service " + tlsAddress(daemon), "service file check")) {
                var sessions = counted("sessions_in_all");
                var result = asHost("host.key", remote, command);

                assertEquals(0, result.exitCode(), result::output);
                assertEquals(0, counted("authentication_failures"), command);
                assertEquals(1, counted("sessions_in_all") - sessions, command);
            }
            var failures = 0;
            for (var command : List.of("doctor", "service file check", "ping -n 1")) {
                var result = asHost("stranger.key", remote, command);

                assertTrue(
                        (result.output() + result.error()).contains("does not accept this host's certificate"),
                        result::output);
                assertEquals(++failures, counted("authentication_failures"), command);
            }
        }
    }

    private Programs.Printed asHost(String key, Path services, String command) {
        return Programs.uromFrom(
                Map.of(
                        "DOCA_UROM_SERVICE_FILE",
                        services.toString(),
                        "DOCA_UROM_KEY_FILE",
                        folder.resolve(key).toString()),
                command.split(" "));
    }

    /** Returns a counter of the service. */
    private int counted(String name) {
        var stat = Programs.uromHere(
                        "stat",
                        "--json",
                        "--service",
                        folder.resolve("services").toString())
                .output();
        var value = Pattern.compile("\"" + name + "\": (\\d+)").matcher(stat);
        assertTrue(value.find(), stat);
        return Integer.parseInt(value.group(1));
    }

    private Process ping(String address) throws IOException {
        var builder = new ProcessBuilder(
                        Programs.uromWords("ping", "--service", address, "-n", "10000", "--interval", "0.1"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("ping").toFile());
        builder.environment()
                .put("DOCA_UROM_KEY_FILE", folder.resolve("host.key").toString());
        return builder.start();
    }
}

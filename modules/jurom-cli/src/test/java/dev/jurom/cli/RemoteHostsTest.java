// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.PublicInstallation;
import dev.jurom.fixture.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
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

    private Programs.Printed urom(String... words) {
        return Programs.uromFrom(
                Map.of("DOCA_UROM_SERVICE_FILE", folder.resolve("services").toString()), words);
    }

    private String createKey(String name) {
        return urom("key", "create", folder.resolve(name).toString(), "--name", name)
                .output();
    }

    @Test
    void status_and_stat_show_a_host_while_it_is_connected() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var user = System.getProperty("user.name");
        var certificate = createKey("service.key");
        var hosts = Files.writeString(
                folder.resolve("hosts"),
                "account: " + (user.equals("root") ? "daemon" : user) + "\n" + createKey("host.key"));
        Files.writeString(folder.resolve("host.key"), certificate, StandardOpenOption.APPEND);
        var fingerprint = urom("key", "fingerprint", folder.resolve("host.key").toString())
                .output()
                .strip();
        var installation = PublicInstallation.in(folder);
        try (var daemon = DaemonProgram.listening(
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
                hosts.toString())) {
            var address = ADDRESS.matcher(daemon.output());
            assertTrue(address.find(), daemon::output);
            var ping = ping(address.group(1));
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

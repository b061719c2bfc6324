// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the systemd units of the service. */
class UnitFilesTest {

    private static final Path UNITS = Command.ROOT.resolve("src/main/systemd");
    private static final String OF_ONE_USER = "urom-daemon@.service";
    private static final String OF_ALL_USERS = "urom-daemon.service";
    private static final int BELOW_THREE = 29; // in tenths

    @TempDir
    private Path folder;

    /** Returns a unit as installed, with the path of an existing program. */
    private static Path installed(Path folder, String name) throws IOException {
        assumeTrue(
                Files.exists(Path.of("/usr/bin/systemd-analyze")),
                "systemd-analyze is not here: apt-get install systemd");
        for (var program : List.of("urom", "urom-daemon")) {
            Files.copy(Path.of("/bin/true"), folder.resolve(program), REPLACE_EXISTING);
        }
        return Files.writeString(
                folder.resolve(name),
                Files.readString(UNITS.resolve(name)).replace("/usr/local/bin", folder.toString()));
    }

    @Test
    void systemd_accepts_them_without_warnings() throws IOException {
        for (var prefix : List.of("local", "a b#c;d")) {
            var bin = Files.createDirectory(folder.resolve(prefix));
            for (var name : List.of(OF_ONE_USER, OF_ALL_USERS)) {
                var result = Command.execute(List.of(
                        "systemd-analyze",
                        "verify",
                        "--man=no", // the pages are tested where they are installed
                        installed(bin, name).toString()));

                assertEquals(0, result.exitCode(), result::output);
                assertEquals("", result.output());
            }
        }
    }

    @Test
    void a_service_with_a_wrong_configuration_is_not_restarted() throws IOException {
        for (var name : List.of(OF_ONE_USER, OF_ALL_USERS)) {
            var lines = Files.readAllLines(UNITS.resolve(name));

            assertTrue(lines.contains("Restart=on-failure"), name);
            assertTrue(lines.contains("WatchdogSignal=SIGKILL"), name);
            assertTrue(lines.indexOf("StartLimitIntervalSec=0") < lines.indexOf("[Service]"), name);
            assertTrue(lines.contains("StartLimitIntervalSec=0"), name);
            assertTrue(lines.contains("RestartPreventExitStatus=2 " + UromDaemonMain.WRONG_CONFIGURATION), name);
        }
    }

    @Test
    void old_logs_of_workers_are_removed_and_those_of_services_stay() throws IOException {
        assumeTrue(
                Files.exists(Path.of("/usr/bin/systemd-tmpfiles")),
                "systemd-tmpfiles is not here: apt-get install systemd");
        var logs = Files.createDirectories(folder.resolve("var/log/urom/ada")).getParent();
        for (var old : List.of(
                "urom_daemon_dev.log.1",
                "ada/urom_daemon_dev.log",
                "urom_worker_1_dev.log",
                "ada/urom_worker_3_dev.log")) {
            Files.setLastModifiedTime(
                    Files.createFile(logs.resolve(old)),
                    FileTime.from(Instant.now().minus(Duration.ofDays(40))));
        }
        Files.createFile(logs.resolve("urom_worker_2_dev.log"));

        var result = Command.execute(List.of(
                "systemd-tmpfiles",
                "--clean",
                "--root=" + folder,
                UNITS.resolve("urom.conf").toString()));

        assertEquals("", result.output());
        try (var files = Files.walk(logs)) {
            assertEquals(
                    Set.of("urom_daemon_dev.log.1", "ada/urom_daemon_dev.log", "urom_worker_2_dev.log"),
                    files.filter(Files::isRegularFile)
                            .map(file -> logs.relativize(file).toString())
                            .collect(Collectors.toSet()));
        }
    }

    @Test
    void the_exposure_level_of_the_user_unit_is_below_three() throws IOException {
        var result = Command.execute(List.of(
                "systemd-analyze",
                "security",
                "--offline=true",
                "--no-pager",
                "--threshold=" + BELOW_THREE,
                installed(folder, OF_ONE_USER).toString()));

        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("Overall exposure level"), result::output);
    }
}

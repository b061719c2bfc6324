// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.runtime.DaemonException;
import dev.jurom.runtime.LogLevel;
import dev.jurom.service.TestDaemon;
import dev.jurom.service.settings.LogSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the log of a service: its permissions, its size limit, and the escaping of text from peers. */
class ServiceLogTest {

    private static final int SIZE = 4096;

    @TempDir
    private Path folder;

    private ServiceLog open(int files) {
        return ServiceLog.toFile(
                folder,
                LogSettings.DEFAULT.withLevels(LogLevel.INFO, LogLevel.INFO).withRotation(SIZE, files));
    }

    @Test
    void text_of_peers_stays_in_its_line_and_does_not_control_a_terminal() {
        try (var log = open(1)) {
            log.info("a\nb\r\t\u001b[31m\0\u0085\u2028\u202e\ud800 \u00e4\u4e2d\ud83d\ude00");
        }

        var lines = TestDaemon.log(folder).lines().toList();
        assertEquals(1, lines.size());
        assertTrue(
                lines.getFirst()
                        .endsWith("a\\u000ab\\u000d\\u0009\\u001b[31m\\u0000\\u0085"
                                + "\\u2028\\u202e\\ud800 \u00e4\u4e2d\ud83d\ude00"),
                lines.getFirst());
    }

    @Test
    void a_very_long_message_is_cut() {
        try (var log = open(1)) {
            log.info("x".repeat(1 << 20));
        }
        assertTrue(TestDaemon.log(folder).length() < 2 * SIZE);
    }

    @Test
    void only_its_user_reads_it() throws IOException {
        var file = Files.writeString(folder.resolve(LogSettings.FILE_NAME), "before\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        try (var log = open(2)) {
            log.info("after");
            assertEquals(PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(file));
        }
        assertTrue(Files.readString(file).startsWith("before\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1777", "0777"})
    void a_directory_where_all_users_make_files_is_refused(String mode) {
        Command.run("chmod", mode, folder.toString());
        var thrown = assertThrows(DaemonException.class, () -> open(1).close());
        assertTrue(thrown.getMessage().contains("can write to " + folder), thrown.getMessage());
    }

    @Test
    void a_full_file_is_rotated_and_the_oldest_is_deleted() throws IOException {
        try (var log = open(3)) {
            for (var i = 0; i < 500; i++) {
                log.info("message " + i);
            }
        }

        var files = List.of(
                folder.resolve(LogSettings.FILE_NAME),
                folder.resolve(LogSettings.FILE_NAME + ".1"),
                folder.resolve(LogSettings.FILE_NAME + ".2"));
        var expected = 499;
        for (var file : files) {
            assertTrue(Files.size(file) <= SIZE, file + " has " + Files.size(file));
            assertEquals(PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(file));
            for (var line : Files.readAllLines(file).reversed()) {
                assertTrue(line.endsWith("message " + expected), line);
                expected--;
            }
        }
        assertFalse(Files.exists(folder.resolve(LogSettings.FILE_NAME + ".3")));
    }

    @Test
    void it_continues_after_a_new_file_could_temporarily_not_be_created() throws IOException {
        var directory = Files.createDirectory(folder.resolve("log"));
        var settings =
                LogSettings.DEFAULT.withLevels(LogLevel.INFO, LogLevel.INFO).withRotation(SIZE, 1);
        try (var log = ServiceLog.toFile(directory, settings)) {
            log.info("x".repeat(SIZE - 100));
            Files.delete(directory.resolve(LogSettings.FILE_NAME));
            Files.delete(directory.resolve(LogSettings.AUDIT_FILE_NAME));
            Files.delete(directory);
            log.info("this line is lost, because no new file can be created");

            Files.createDirectory(directory);
            log.info("a new file was created");
        }

        assertTrue(TestDaemon.log(directory).endsWith("a new file was created\n"));
    }
}

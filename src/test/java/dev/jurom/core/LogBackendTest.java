// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import dev.jurom.runtime.LogLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests log backends, which write a record before the call that logs it returns. */
class LogBackendTest {

    @TempDir
    private Path folder;

    private final LogSource source = LogSource.create("BACKENDS");

    @AfterEach
    void close() {
        source.close();
    }

    @Test
    void a_file_receives_the_applications_messages_between_its_levels() throws IOException {
        var file = folder.resolve("application.log");
        var backend = LogBackend.toFile(LogOrigin.APPLICATION, file)
                .setLevel(LogLevel.WARNING)
                .setMostSevere(LogLevel.ERROR);

        source.log(LogLevel.CRITICAL, "too severe");
        source.log(LogLevel.ERROR, "wrong");
        source.log(LogLevel.WARNING, "odd");
        source.log(LogLevel.INFO, "fine");

        backend.setLevel(LogLevel.DISABLE);
        source.log(LogLevel.CRITICAL, "late");
        assertEquals(List.of("wrong", "odd"), messages(file));
        var line = Files.readAllLines(file).getFirst();
        assertTrue(line.contains("[ERR][BACKENDS][LogBackendTest.java:") && line.contains("a_file"), line);
    }

    @Test
    void a_file_receives_the_records_of_the_library() throws IOException {
        var file = folder.resolve("library.log");
        var backend = LogBackend.toFile(LogOrigin.LIBRARY, file).setLevel(LogLevel.DEBUG);

        try (var map = MemoryMap.create()) {
            assertThrows(DocaException.class, map::start);
        }

        backend.setLevel(LogLevel.DISABLE);
        assertTrue(messages(file).getFirst().startsWith("The memory map has no memory"));
        assertEquals(
                DocaError.INVALID_VALUE,
                assertThrows(DocaException.class, () -> backend.setMostSevere(LogLevel.ERROR))
                        .error());
    }

    @Test
    void global_levels_do_not_apply_to_a_backend_with_its_own() throws IOException {
        var level = DocaLog.globalLevel(LogOrigin.APPLICATION);
        var mostSevere = DocaLog.globalMostSevere();
        var keeps = folder.resolve("keeps.log");
        var follows = folder.resolve("follows.log");
        var keeping = LogBackend.toFile(LogOrigin.APPLICATION, keeps)
                .setLevel(LogLevel.ERROR)
                .setMostSevere(LogLevel.CRITICAL)
                .keepLevels();
        var following = LogBackend.toFile(LogOrigin.APPLICATION, follows);
        try {
            DocaLog.setGlobalLevel(LogOrigin.APPLICATION, LogLevel.DEBUG);
            DocaLog.setGlobalMostSevere(LogLevel.WARNING);
            source.log(LogLevel.ERROR, "wrong");
            source.log(LogLevel.DEBUG, "detail");

            assertEquals(LogLevel.WARNING, DocaLog.globalMostSevere());
            assertEquals(List.of("wrong"), messages(keeps));
            assertEquals(List.of("detail"), messages(follows));
        } finally {
            DocaLog.setGlobalLevel(LogOrigin.APPLICATION, level);
            DocaLog.setGlobalMostSevere(mostSevere);
            keeping.setLevel(LogLevel.DISABLE);
            following.setLevel(LogLevel.DISABLE);
        }
    }

    @Test
    void an_unwritable_file_is_rejected_by_name() {
        var nowhere = folder.resolve("no").resolve("such.log");

        var refusal = assertThrows(UncheckedIOException.class, () -> LogBackend.toFile(LogOrigin.LIBRARY, nowhere));

        assertTrue(refusal.getMessage().contains(nowhere.toString()), refusal.getMessage());
    }

    @Test
    void standard_streams_and_syslog_receive_messages_without_java() {
        var result = ForkedJvm.run(LogBackendProgram.class);

        assertEquals(0, result.exitCode(), result.output());
        assertTrue(
                result.output().contains("[INF][PROGRAM]") && result.output().contains("hello, streams"),
                result.output());
        assertEquals(1, result.output().split("hello, streams", -1).length - 1, result.output());
    }

    private static List<String> messages(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> line.substring(line.lastIndexOf("] ") + 2))
                .toList();
    }
}

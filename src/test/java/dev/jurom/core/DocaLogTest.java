// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.runtime.LogLevel;
import java.lang.foreign.Arena;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that log records of DOCA are forwarded to Java's logging, subject to the configured levels. */
class DocaLogTest {

    /** The record logged by the library when a map without memory is started. */
    private static final String NO_MEMORY = "FINE dev.jurom.native.DOCA.MMAP The memory map has no"
            + " memory: call doca_mmap_set_memrange before starting it";

    private static final String NO_EXPORT =
            "SEVERE dev.jurom.native.DOCA.MMAP The bytes are" + " not an export descriptor of a memory map";

    private CapturedLog log;

    @BeforeEach
    void capture() {
        log = new CapturedLog();
    }

    @AfterEach
    void beQuiet() {
        DocaLog.setLevel(LogLevel.DISABLE);
        log.close();
    }

    @Test
    void a_message_goes_to_the_logger_of_its_source_at_its_level() {
        // @start region="level"
        DocaLog.setLevel(LogLevel.DEBUG);
        // @end

        startWithoutMemory();
        importNonsense();

        assertEquals(NO_MEMORY, log.await("has no memory"));
        assertEquals(NO_EXPORT, log.await("not an export descriptor"));
        assertEquals(LogLevel.DEBUG, DocaLog.level());
    }

    @Test
    void no_records_are_forwarded_below_the_level_or_before_one_is_set() {
        assertEquals(LogLevel.DISABLE, DocaLog.level());
        importNonsense();
        DocaLog.setLevel(LogLevel.ERROR);
        startWithoutMemory();
        importNonsense();

        log.await("not an export descriptor");

        assertEquals(1, log.lines().size(), log.lines()::toString);
    }

    @Test
    void a_logger_may_filter_records_of_the_library() {
        var maps = Logger.getLogger("dev.jurom.native.DOCA.MMAP");
        maps.setLevel(Level.SEVERE);
        try {
            DocaLog.setLevel(LogLevel.DEBUG);
            startWithoutMemory();
            importNonsense();

            log.await("not an export descriptor");

            assertEquals(1, log.lines().size(), log.lines()::toString);
        } finally {
            maps.setLevel(null);
        }
    }

    @Test
    void records_that_the_application_logs_through_doca_are_forwarded() {
        DocaLog.setLevel(LogLevel.INFO);
        try (var source = LogSource.create("SHOP::TILL 1")) {
            source.log(LogLevel.DEBUG, "not wanted");
            source.log(LogLevel.INFO, "100 % of {0} sold, %s");
            source.log(LogLevel.CRITICAL, "out of paper");

            assertEquals("SEVERE dev.jurom.native.SHOP.TILL_1 out of paper", log.await("out of paper"));
            assertEquals(
                    "INFO dev.jurom.native.SHOP.TILL_1 100 % of {0} sold, %s",
                    log.lines().getFirst());

            assertThrows(IllegalArgumentException.class, () -> source.log(LogLevel.DISABLE, "never"));
            source.close();
            assertTrue(assertThrows(IllegalStateException.class, () -> source.log(LogLevel.INFO, "late"))
                    .getMessage()
                    .contains("SHOP::TILL 1"));
        }
    }

    @Test
    void global_levels_apply_to_other_backends_only() {
        var library = DocaLog.globalLevel(LogOrigin.LIBRARY);
        var application = DocaLog.globalLevel(LogOrigin.APPLICATION);
        DocaLog.setLevel(LogLevel.ERROR);
        try {
            DocaLog.setGlobalLevel(LogOrigin.LIBRARY, LogLevel.TRACE);
            DocaLog.setGlobalLevel(LogOrigin.APPLICATION, LogLevel.DEBUG);
            startWithoutMemory();
            importNonsense();

            log.await("not an export descriptor");

            assertEquals(1, log.lines().size(), log.lines()::toString);
            assertEquals(LogLevel.ERROR, DocaLog.level());
            assertEquals(LogLevel.TRACE, DocaLog.globalLevel(LogOrigin.LIBRARY));
            assertEquals(LogLevel.DEBUG, DocaLog.globalLevel(LogOrigin.APPLICATION));
        } finally {
            DocaLog.setGlobalLevel(LogOrigin.LIBRARY, library);
            DocaLog.setGlobalLevel(LogOrigin.APPLICATION, application);
        }
    }

    private static void startWithoutMemory() {
        try (var map = MemoryMap.create()) {
            assertThrows(DocaException.class, map::start);
        }
    }

    private static void importNonsense() {
        try (var arena = Arena.ofConfined();
                var device = Device.open();
                var map = MemoryMap.create()
                        .setRange(arena.allocate(8))
                        .addDevice(device)
                        .setPermissions(Set.of(AccessFlag.PCI_READ_WRITE))
                        .start()) {
            var export = map.exportPci(device);
            export[0]++;
            assertThrows(DocaException.class, () -> MemoryMap.fromExport(export, device));
        }
    }
}

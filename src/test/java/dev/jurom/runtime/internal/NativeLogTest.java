// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class NativeLogTest {

    /** Remembers what is logged. */
    private static final class Lines implements System.Logger {

        private final List<String> lines = new ArrayList<>();

        @Override
        public String getName() {
            return "test";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            lines.add(level + " " + message);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            lines.add(level + " " + format);
        }
    }

    @Example
    void a_line_keeps_its_level_source_and_message() {
        var logger = new Lines();
        var line = "[2030-01-31 23:59:59:123456][4711][DOCA][%s][UROM::SERVICE][a.c:12][f]"
                + " it {0} [x]";

        for (var level : List.of("CRT", "ERR", "WRN", "INF", "DBG", "TRC")) {
            NativeLog.log(logger, line.formatted(level));
        }

        assertEquals(List.of("ERROR", "ERROR", "WARNING", "INFO", "DEBUG", "TRACE"),
                logger.lines.stream().map(text -> text.split(" ")[0]).toList());
        assertTrue(logger.lines.getFirst().endsWith(" UROM::SERVICE: it {0} [x]"),
                logger.lines.getFirst());
    }

    @Property
    void any_line_is_logged(@ForAll String line) {
        var logger = new Lines();

        NativeLog.log(logger, line);

        assertEquals(1, logger.lines.size());
    }

    @Example
    void what_the_library_logs_arrives_in_javas_logging() {
        var result = ForkedJvm.run(NativeLogProgram.class);

        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("SEVERE: UROM::SERVICE_LOCATION: DOCA_UROM_SERVICE_FILE"),
                result.output());
    }

    @Example
    void it_does_not_when_it_is_switched_off() {
        var result = ForkedJvm.run(NativeLogProgram.class, "-Djurom.native.log=off");

        assertEquals(0, result.exitCode(), result.output());
        assertFalse(result.output().contains("UROM::SERVICE"), result.output());
    }
}

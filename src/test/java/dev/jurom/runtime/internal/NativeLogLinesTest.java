// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ResourceBundle;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Tests the conversion of log lines of the native libraries to log records. */
class NativeLogLinesTest {

    private static final String LINE = "[2030-01-31 23:59:59:123456][4711][DOCA][%s][%s][a.c:12][f]" + " it {0} [x]";

    private final List<String> logged = new ArrayList<>();
    private final Set<String> loggers = new HashSet<>();
    private final NativeLogLines lines = new NativeLogLines(Lines::new);

    /** Stores the logged records. */
    private final class Lines implements System.Logger {

        private final String name;

        Lines(String name) {
            this.name = name;
            loggers.add(name);
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            logged.add(name + " " + level + " " + message);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            logged.add(name + " " + level + " " + format);
            if (format.contains("throw")) {
                throw new IllegalStateException("the logger's own fault");
            }
        }
    }

    @Example
    void a_line_goes_to_the_logger_of_its_source_at_its_level() {
        for (var level : List.of("CRT", "ERR", "WRN", "INF", "DBG", "TRC")) {
            lines.log(LINE.formatted(level, "UROM::SERVICE"));
        }

        assertEquals(
                List.of("ERROR", "ERROR", "WARNING", "INFO", "DEBUG", "TRACE").stream()
                        .map(level -> "dev.jurom.native.UROM.SERVICE " + level + " it {0} [x]")
                        .toList(),
                logged);
    }

    @Example
    void a_line_in_an_unknown_format_is_logged_unchanged() {
        lines.log("half a line");
        lines.log(LINE.formatted("ODD", "UROM::SERVICE"));

        assertEquals("dev.jurom.native INFO half a line", logged.getFirst());
        assertTrue(logged.getLast().startsWith("dev.jurom.native INFO [2030"), logged.getLast());
    }

    @Example
    void the_number_of_loggers_is_bounded() {
        for (var i = 0; i < 2000; i++) {
            lines.log(LINE.formatted("ERR", "source " + i + " ".repeat(500)));
        }

        assertEquals(2000, logged.size());
        assertTrue(loggers.size() < 600, () -> loggers.size() + " loggers");
        assertTrue(loggers.stream().allMatch(name -> name.length() < 200), loggers::toString);
    }

    @Example
    void an_exception_of_a_logger_does_not_stop_logging() {
        lines.log("throw");
        lines.log("go on");

        assertEquals(2, logged.size());
    }

    @Property
    void any_line_is_logged(@ForAll String line) {
        logged.clear();

        lines.log(line);

        assertEquals(1, logged.size());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests the output of data and failures. */
class OutputTest {

    @Test
    void a_table_is_aligned_as_text_and_an_array_of_objects_in_json() {
        var table = Table.of("name", "p50_ns", "of")
                .row("a", 1000, List.of("x", "y"))
                .row("long", 5L, Optional.empty());

        assertEquals(List.of("name  p50 ns  of", "a       1000  x, y", "long       5  -"), table.lines());
        assertEquals(
                "[{\"name\": \"a\", \"p50_ns\": 1000, \"of\": [\"x\", \"y\"]},"
                        + " {\"name\": \"long\", \"p50_ns\": 5, \"of\": null}]",
                Json.of(table));
        assertThrows(IllegalArgumentException.class, () -> table.row("too few"));
    }

    @Test
    void text_from_other_processes_cannot_control_a_terminal_or_end_a_string() {
        var hostile = "a\033[31m\"\n\u202eb";

        assertEquals("a?[31m\"??b", Table.of("x").row(hostile).lines().get(1));
        assertEquals("\"a\\u001b[31m\\\"\\u000a\u202eb\"", Json.of(hostile));
        assertEquals("{\"a\": null, \"b\": true}", Json.of(new TreeMap<>(Map.of("a", Double.NaN, "b", true))));
    }

    @Test
    void colours_need_a_capable_terminal_and_can_be_disabled() {
        assertTrue(Colour.isWanted(null, "xterm", true));
        assertTrue(Colour.isWanted("", "xterm", true));
        assertFalse(Colour.isWanted("1", "xterm", true));
        assertFalse(Colour.isWanted(null, "dumb", true));
        assertFalse(Colour.isWanted(null, "xterm", false));
    }

    @Test
    void each_kind_of_failure_is_one_line_with_its_exit_code() {
        assertEquals(new FailureLine("two; lines", ExitCode.FILE), FailureLine.of(new IOException("two\n  lines\n")));
        assertEquals(
                ExitCode.NOT_PERMITTED,
                FailureLine.of(new UncheckedIOException(new AccessDeniedException("x")))
                        .exitCode());
        assertEquals(
                ExitCode.LOST,
                FailureLine.of(new DocaException(DocaError.TIME_OUT, "doca_ctx_start", "service"))
                        .exitCode());
        assertEquals(
                ExitCode.NO_SERVICE,
                FailureLine.of(new DocaException(DocaError.NOT_FOUND, "doca_ctx_start", "service"))
                        .exitCode());
        Map.of(
                        DocaError.FULL,
                        ExitCode.FOUND_WRONG,
                        DocaError.OPERATING_SYSTEM,
                        ExitCode.FOUND_WRONG,
                        DocaError.NOT_PERMITTED,
                        ExitCode.NOT_PERMITTED,
                        DocaError.IO_FAILED,
                        ExitCode.FILE,
                        DocaError.INITIALIZATION,
                        ExitCode.LOST,
                        DocaError.AGAIN,
                        ExitCode.LOST)
                .forEach((error, code) -> assertEquals(
                        code,
                        FailureLine.of(new DocaException(error, "doca_ctx_start", "worker"))
                                .exitCode(),
                        error::toString));
        assertEquals(
                new FailureLine("java.lang.IllegalStateException: odd", ExitCode.UNEXPECTED),
                FailureLine.of(new IllegalStateException("odd")));
    }
}

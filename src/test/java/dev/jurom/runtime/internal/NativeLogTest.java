// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import org.junit.jupiter.api.Test;

/** Tests the log output of a program by default and with a level set by the system property. */
class NativeLogTest {

    private static final String SOURCE = "dev.jurom.native.UROM.SERVICE";

    @Test
    void without_a_level_no_records_of_the_libraries_are_printed() {
        var result = ForkedJvm.run(NativeLogProgram.class);

        assertEquals(0, result.exitCode(), result.output());
        assertEquals("threads: 0\n", result.output());
    }

    @Test
    void with_a_level_an_error_is_logged_under_its_source() {
        var result = ForkedJvm.run(
                NativeLogProgram.class,
                "-Djurom.log.level=Error",
                "-Djava.util.logging.SimpleFormatter.format=%4$s %3$s %5$s%n");

        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("SEVERE " + SOURCE + " DOCA_UROM_SERVICE_FILE"), result.output());
        assertTrue(result.output().endsWith("threads: 1\n"), result.output());
    }

    @Test
    void an_unknown_level_is_rejected() {
        var result = ForkedJvm.run(NativeLogProgram.class, "-Djurom.log.level=loud");

        assertTrue(
                result.output()
                        .contains("The system property jurom.log.level is \"loud\"."
                                + " There is no log level loud: the levels are disable, critical, error, warning,"
                                + " info, debug, trace"),
                result.output());
    }

    /** At its exit, the JVM waits for 300 ms if a thread is blocked in native code. */
    @Test
    void the_thread_that_reads_the_log_leaves_native_code_when_the_jvm_exits() {
        var result = ForkedJvm.run(NativeLogReaderProgram.class, "-Djurom.log.level=error");

        assertTrue(result.output().contains("the reader waits in Java"), result.output());
    }

    @Test
    void logging_during_shutdown_neither_delays_nor_crashes_the_jvm() {
        var result = ForkedJvm.run(
                NativeLogAtExitProgram.class,
                "-Djurom.log.level=trace",
                "-Djava.util.logging.SimpleFormatter.format=%n");

        assertEquals(7, result.exitCode(), result.output());
        assertTrue(!result.output().contains("fatal error"), result.output());
    }
}

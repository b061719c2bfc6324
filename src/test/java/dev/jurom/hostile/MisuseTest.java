// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jurom.fixture.ForkedJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests misuse that could crash a JVM in a separate JVM, whose exit code is checked. */
class MisuseTest {

    @Test
    void no_misuse_of_handles_crashes_the_jvm() {
        var result = ForkedJvm.run(MisuseProgram.class);

        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("survived"), result.output());
    }

    @Test
    void the_documented_flag_suppresses_warnings_about_native_access() {
        var result = ForkedJvm.run(HelloProgram.class);

        assertEquals(0, result.exitCode(), result.output());
        assertEquals("hello", result.output().strip());
    }

    @Test
    void without_the_flag_the_program_runs_where_the_JDK_permits_it() {
        try (var jvm = ForkedJvm.startBare(HelloProgram.class)) {
            var result = jvm.await();

            assertEquals(0, result.exitCode(), result.output());
            assertTrue(result.output().contains("WARNING: Use --enable-native-access"), result.output());
            assertTrue(result.output().contains("hello"), result.output());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--illegal-native-access=deny", // since JDK 24
                "--enable-native-access=java.sql" // denied it to all others before JDK 24
            })
    void where_the_JDK_denies_access_the_error_names_the_flag(String option) {
        assumeTrue(Runtime.version().feature() >= 24 == option.startsWith("--illegal"));
        try (var jvm = ForkedJvm.startBare(HelloProgram.class, option)) {
            var result = jvm.await();

            assertNotEquals(0, result.exitCode());
            assertTrue(result.output().contains("--enable-native-access=ALL-UNNAMED"), result.output());
        }
    }
}

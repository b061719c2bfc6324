// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import org.junit.jupiter.api.Test;

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
    void without_the_flag_the_error_names_the_flag() {
        try (var jvm = ForkedJvm.startBare(HelloProgram.class)) {
            var result = jvm.await();

            assertNotEquals(0, result.exitCode());
            assertTrue(result.output().contains("--enable-native-access=ALL-UNNAMED"), result.output());
        }
    }
}

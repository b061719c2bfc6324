// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import org.junit.jupiter.api.Test;

class LeakDetectorTest {

    @Test
    void an_object_that_is_collected_while_open_is_reported_with_the_stack_that_opened_it() {
        var result = ForkedJvm.run(LeakingProgram.class, "-Djurom.leaks=trace");

        assertEquals(0, result.exitCode(), result.output());
        assertTrue(result.output().contains("A MemoryMap was never closed"), result.output());
        assertTrue(result.output().contains("LeakingProgram.leak"), result.output());
        assertFalse(result.output().contains("A ProgressEngine"), result.output());
    }

    @Test
    void leak_reports_are_disabled_by_default() {
        var result = ForkedJvm.run(LeakingProgram.class);

        assertFalse(result.output().contains("never closed"), result.output());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import org.junit.jupiter.api.Test;

class WatchdogTest {

    @Test
    void a_hanging_sequence_ends_its_jvm_and_prints_the_stacks() {
        var result = ForkedJvm.run(HangingProgram.class);

        assertEquals(1, result.exitCode(), result.output());
        assertTrue(result.output().contains("a sequence has been hanging for 1 s"), result.output());
        assertTrue(result.output().contains("HangingProgram.hang"), result.output());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProcessStateTest {

    @Test
    void a_dead_process_is_detected_before_it_is_reaped() {
        assertFalse(ProcessState.isEnding(ProcessHandle.current().pid()));
        assertTrue(ProcessState.isEnding(Integer.MAX_VALUE)); // no such process
        assertTrue(ProcessState.isEnding("7 (urom_worker) Z 1 7 7 0 -1 4194564 0"));
        assertTrue(ProcessState.isEnding("7 (urom_worker) R 1 7 7 0 -1 4194564 0"));
        assertFalse(ProcessState.isEnding("7 (a) Z 4) S 1 7 7 0 -1 4194560 0"));
    }
}

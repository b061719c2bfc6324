// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HeapUseTest {

    @Test
    void filler_objects_are_not_counted() {
        assertEquals(OptionalLong.of(300), HeapUse.inUse("""
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:             5            200  [B (java.base@25.0.3)
                   2:             5           1000  [Ljdk.internal.vm.FillerElement; (java.base@25)
                   3:             2            100  java.lang.String (java.base@25.0.3)
                Total            12           1300
                """));
    }

    @Test
    void an_error_message_is_no_histogram() {
        assertEquals(OptionalLong.empty(), HeapUse.inUse("No such process"));
    }

    @Test
    void reachable_objects_are_counted() throws IOException, InterruptedException {
        var before = HeapUse.of(ProcessHandle.current().pid());

        var kept = new byte[8 << 20];
        var after = HeapUse.of(ProcessHandle.current().pid());

        assertTrue(after - before > kept.length / 2, before + " to " + after);
    }
}

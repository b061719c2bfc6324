// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.abi.doca.doca_h;
import org.junit.jupiter.api.Test;

class DocaErrorTest {

    @Test
    void codes_are_those_of_c() {
        assertEquals(31, DocaError.values().length);
        assertEquals(doca_h.DOCA_ERROR_SKIPPED(), DocaError.SKIPPED.code());
        assertEquals(doca_h.DOCA_ERROR_IN_PROGRESS(), DocaError.IN_PROGRESS.code());
        for (var error : DocaError.values()) {
            assertEquals(error, DocaError.of(error.code()));
        }
        assertEquals(DocaError.UNKNOWN, DocaError.of(31));
        assertEquals(DocaError.UNKNOWN, DocaError.of(-1));
    }

    @Test
    void an_exception_says_what_failed_for_whom_and_what_to_do() {
        var exception = new DocaException(DocaError.BAD_STATE, "doca_ctx_start", "worker 7");

        assertTrue(exception.getMessage().startsWith("worker 7: doca_ctx_start failed with"
                + " BAD_STATE"));
        assertTrue(exception.getMessage().endsWith(exception.advice()));
    }
}

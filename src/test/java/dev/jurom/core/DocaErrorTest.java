// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.runtime.DocaRuntime;
import org.junit.jupiter.api.Test;

class DocaErrorTest {

    @Test
    void codes_match_the_c_header() {
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
    void names_and_descriptions_match_the_c_library() {
        DocaRuntime.current();
        for (var error : DocaError.values()) {
            var name = doca_h.doca_error_get_name(error.code()).getString(0);
            var description = doca_h.doca_error_get_descr(error.code()).getString(0);

            assertEquals(name, (error.isSuccess() ? "DOCA_" : "DOCA_ERROR_") + error.name());
            assertFalse(description.isEmpty() || error.description().isEmpty(), name);
        }
    }

    @Test
    void an_exception_names_the_object_the_failed_function_and_the_remedy() {
        var exception = new DocaException(DocaError.BAD_STATE, "doca_ctx_start", "worker 7");

        assertTrue(exception.getMessage().startsWith("worker 7: doca_ctx_start failed with" + " BAD_STATE"));
        assertTrue(exception.getMessage().endsWith(exception.advice()));
    }
}

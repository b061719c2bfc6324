// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.RdmoTarget;
import dev.jurom.RdmoWriter;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.HostMemory;
import dev.jurom.runtime.internal.Environment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests that failures of UCX have an exported type. */
class UcxFailureTest {

    private static final String VARIABLE = "UCX_TLS";

    private @Nullable String before;

    @BeforeEach
    void remember() {
        before = Environment.get(VARIABLE);
    }

    @AfterEach
    void restore() {
        Environment.restore(VARIABLE, before);
    }

    private static void requireFailure(DocaError error, String text, Executable action) {
        var failure = assertThrows(DocaException.class, action);
        assertEquals(error, failure.error());
        assertTrue(failure.getMessage().contains(text), failure.getMessage());
    }

    @Test
    void an_opening_without_a_transport_fails() throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(RdmoPlugin.NAME))) {
            Environment.set(VARIABLE, "nothing");

            requireFailure(DocaError.INITIALIZATION, "Opening a UCX context failed", RdmoPeer::open);
            requireFailure(DocaError.INITIALIZATION, "Opening a UCX context failed", RdmoWriter::open);
            requireFailure(DocaError.INITIALIZATION, "Opening a UCX context failed", HostMemory::open);
            requireFailure(DocaError.INITIALIZATION, "Opening a UCX context failed", () -> RdmoTarget.open(worker, 8));
        }
    }

    @Test
    void a_connection_without_a_common_transport_fails() {
        try (var target = RdmoPeer.open()) {
            var address = target.address();
            Environment.set(VARIABLE, "tcp");
            try (var peer = RdmoPeer.open()) {
                requireFailure(
                        DocaError.IO_FAILED, "Connecting to a UCX worker failed", () -> peer.connect(address, 1));
            }
        }
    }
}

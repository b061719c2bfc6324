// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ForkedJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a program with an embedded service is not on the network; a C test covers the daemon. */
class OfflineTest {

    private static final String NOTHING = "sockets true, internet 0, abstract 0, shared files false, UCX false";

    @Test
    void an_embedded_service_and_its_worker_are_not_reachable() {
        var result = ForkedJvm.run(OfflineProgram.class, "-Djurom.runtime=software");

        assertEquals(0, result.exitCode(), result::output);
        for (var who : List.of("host", "worker")) {
            assertTrue(result.output().contains(who + ": " + NOTHING), result::output);
        }
    }
}

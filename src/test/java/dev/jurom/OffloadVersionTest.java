// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import static dev.jurom.plugin.graph.GraphPlugin.LOOPBACK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.ServiceFixture;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.urom.PluginInfo;
import org.junit.jupiter.api.Test;

/** Tests that both sides of a plugin must have the same version. */
class OffloadVersionTest {

    @Test
    void an_offload_has_the_version_of_the_plugin_and_both_codecs() {
        var loopback = Offload.of(GraphPlugin.NAME, GraphPlugin.VERSION, GraphCodec.COMMAND, GraphCodec.NOTIFICATION);

        assertEquals(GraphPlugin.VERSION, loopback.version());
        assertSame(GraphCodec.COMMAND, loopback.commands().orElseThrow());
        assertSame(GraphCodec.NOTIFICATION, loopback.notifications().orElseThrow());
        assertTrue(LOOPBACK.commands().isEmpty()); // empty for an offload of functions
    }

    @Test
    void a_command_for_another_plugin_version_is_rejected_with_both_versions() throws InterruptedException {
        try (var urom = Urom.open();
                var worker = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))) {
            var newer =
                    Offload.<Long, Long>of(GraphPlugin.NAME, 77, GraphCodec::packLoopback, GraphCodec::loopbackData);

            var refusal = assertThrows(IllegalStateException.class, () -> worker.call(newer, 1L))
                    .getMessage();
            assertTrue(refusal.contains("version 77"), refusal);
            assertTrue(refusal.contains("version " + GraphPlugin.VERSION + ","), refusal);
            assertEquals(2, worker.call(LOOPBACK, 2L)); // the slot is free again
        }
    }

    @Test
    void the_host_side_of_a_bundled_plugin_rejects_another_version_with_both_versions() {
        try (var fixture = ServiceFixture.open();
                var worker = fixture.startWorker()) {
            var refusal = assertThrows(
                            IllegalStateException.class,
                            () -> RdmoPlugin.of(worker, new PluginInfo(2, 77, RdmoPlugin.NAME)))
                    .getMessage();

            assertTrue(refusal.contains("version 77"), refusal);
            assertTrue(refusal.contains("version " + RdmoPlugin.VERSION + ":"), refusal);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.graph;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A command of the graph plugin: {@code struct urom_worker_graph_cmd}. */
public sealed interface GraphCommand {

    /**
     * Requests its own value: {@code UROM_WORKER_CMD_GRAPH_LOOPBACK}.
     *
     * @param data any value
     * @param payload bytes that the notification returns as well; may be empty
     */
    record Loopback(long data, MemorySegment payload) implements GraphCommand {
        /** Checks the components. */
        public Loopback {
            Objects.requireNonNull(payload, "payload");
        }
    }
}

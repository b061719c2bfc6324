// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.graph;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** A notification of the graph plugin: {@code struct urom_worker_notify_graph}. */
public sealed interface GraphNotification {

    /**
     * The answer to a {@link GraphCommand.Loopback}: {@code UROM_WORKER_NOTIFY_GRAPH_LOOPBACK}.
     *
     * @param data the command's value
     * @param payload the command's bytes, as a slice of the response that is valid until the task is
     *     released
     */
    record Loopback(long data, MemorySegment payload) implements GraphNotification {
        /** Checks the components. */
        public Loopback {
            Objects.requireNonNull(payload, "payload");
        }
    }
}

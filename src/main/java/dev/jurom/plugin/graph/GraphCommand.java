// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.graph;

import java.lang.foreign.MemorySegment;

/** A command of the graph plugin: {@code struct urom_worker_graph_cmd}. */
public sealed interface GraphCommand {

    /**
     * Asks for its own value back: {@code UROM_WORKER_CMD_GRAPH_LOOPBACK}.
     *
     * @param data any value
     * @param payload bytes that come back with it; may be empty
     */
    record Loopback(long data, MemorySegment payload) implements GraphCommand {}
}

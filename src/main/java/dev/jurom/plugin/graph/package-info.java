// SPDX-License-Identifier: Apache-2.0
/**
 * The graph plugin, {@code worker_graph}: a loopback that answers with what it was given.
 *
 * {@snippet class="dev.jurom.plugin.graph.GraphExampleTest" region="number"}
 *
 * <p>The plugin of the software DOCA sends bytes back as well, as many as a message has room for.
 * Records pack and unpack them:
 *
 * {@snippet class="dev.jurom.plugin.graph.GraphExampleTest" region="bytes"}
 *
 * <p>{@link dev.jurom.plugin.graph.GraphPlugin} is where to begin;
 * {@link dev.jurom.plugin.graph.GraphCodec} packs {@link dev.jurom.plugin.graph.GraphCommand} and
 * unpacks {@link dev.jurom.plugin.graph.GraphNotification}.
 */
@NullMarked
package dev.jurom.plugin.graph;

import org.jspecify.annotations.NullMarked;

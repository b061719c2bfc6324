// SPDX-License-Identifier: Apache-2.0
/**
 * The graph plugin, {@code worker_graph}: a loopback that returns the value of its command.
 *
 * {@snippet class="dev.jurom.plugin.graph.GraphExampleTest" region="number"}
 *
 * <p>The plugin of the software DOCA also returns bytes, up to the maximum message size. Records
 * contain them:
 *
 * {@snippet class="dev.jurom.plugin.graph.GraphExampleTest" region="bytes"}
 *
 * <p>Begin with {@link dev.jurom.plugin.graph.GraphPlugin}. {@link dev.jurom.plugin.graph.GraphCodec}
 * packs {@link dev.jurom.plugin.graph.GraphCommand} and unpacks
 * {@link dev.jurom.plugin.graph.GraphNotification}.
 */
@NullMarked
package dev.jurom.plugin.graph;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** The graph plugin, {@code worker_graph}: a loopback that answers with what it was given. */
package dev.jurom.plugin.graph;

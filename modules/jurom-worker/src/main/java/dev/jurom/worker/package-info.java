// SPDX-License-Identifier: Apache-2.0
/**
 * Worker plugins in Java. A worker loads the plugin into a JVM inside its process and passes it the
 * commands of hosts.
 *
 * <p>A plugin is a class that implements {@link dev.jurom.worker.WorkerPlugin}. It reads a
 * {@link dev.jurom.worker.Command} and answers through a {@link dev.jurom.worker.Responder}, with the
 * codecs of the {@link dev.jurom.plugin.Offload} that hosts call. To answer later, or from another
 * thread, it creates a {@link dev.jurom.worker.DeferredResponse}. Bulk data stays in the memory of the
 * host, which the plugin accesses as {@link dev.jurom.worker.ImportedMemory}.
 *
 * <p>{@code docs/java-plugins.md} of the repository develops a plugin from its record to a service
 * that offers it.
 */
@NullMarked
package dev.jurom.worker;

import org.jspecify.annotations.NullMarked;

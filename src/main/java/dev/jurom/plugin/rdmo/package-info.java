// SPDX-License-Identifier: Apache-2.0
/**
 * The RDMO plugin, {@code worker_rdmo}: append, scatter and flush on another host's memory, executed by a
 * worker of that host.
 *
 * {@snippet class="dev.jurom.ranks.DomainExampleTest" region="rdmo"}
 *
 * <p>All operations work with UCX 1.13, which the software DOCA is built with. Memory is registered by a
 * remote key, because exported memory handles exist since UCX 1.14 only: the plugin answers
 * {@code NOT_SUPPORTED} to a registration by a handle alone.
 *
 * <p>The target uses {@link dev.jurom.plugin.rdmo.RdmoPlugin}, its peers
 * {@link dev.jurom.plugin.rdmo.RdmoPeer}, {@link dev.jurom.plugin.rdmo.ScatterVector} and
 * {@link dev.jurom.plugin.rdmo.RdmoFlush}. {@code dev.jurom.RdmoTarget} and {@code dev.jurom.RdmoWriter}
 * are thread-safe alternatives. The messages to the worker are
 * {@link dev.jurom.plugin.rdmo.RdmoCommand} and {@link dev.jurom.plugin.rdmo.RdmoNotification}
 * ({@link dev.jurom.plugin.rdmo.RdmoCodec}), {@link dev.jurom.plugin.rdmo.RdmoRequest} and
 * {@link dev.jurom.plugin.rdmo.RdmoResponse} ({@link dev.jurom.plugin.rdmo.RdmoRequestCodec}).
 */
@NullMarked
package dev.jurom.plugin.rdmo;

import org.jspecify.annotations.NullMarked;

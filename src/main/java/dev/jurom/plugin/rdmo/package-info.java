// SPDX-License-Identifier: Apache-2.0
/**
 * The RDMO plugin, {@code worker_rdmo}: append, scatter and flush on another host's memory, carried out
 * by a worker of that host.
 *
 * {@snippet class="dev.jurom.ranks.DomainExampleTest" region="rdmo"}
 *
 * <p>On UCX 1.13, which the software DOCA is built with, all of it works. Memory is registered by a
 * remote key, since exported memory handles came with UCX 1.14: a registration by a handle alone is
 * answered with {@code NOT_SUPPORTED}.
 *
 * <p>{@link dev.jurom.plugin.rdmo.RdmoPlugin} is the target's side and
 * {@link dev.jurom.plugin.rdmo.RdmoPeer}, with {@link dev.jurom.plugin.rdmo.ScatterVector} and
 * {@link dev.jurom.plugin.rdmo.RdmoFlush}, the other's; for any thread there are
 * {@code dev.jurom.RdmoTarget} and {@code dev.jurom.RdmoWriter}. What they say to the worker:
 * {@link dev.jurom.plugin.rdmo.RdmoCommand}, {@link dev.jurom.plugin.rdmo.RdmoNotification}
 * ({@link dev.jurom.plugin.rdmo.RdmoCodec}), {@link dev.jurom.plugin.rdmo.RdmoRequest},
 * {@link dev.jurom.plugin.rdmo.RdmoResponse} ({@link dev.jurom.plugin.rdmo.RdmoRequestCodec}).
 */
@NullMarked
package dev.jurom.plugin.rdmo;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The sandbox plugin, {@code worker_sandbox}: UCX tagged send and receive, offloaded to the workers of a
 * domain.
 *
 * {@snippet class="dev.jurom.ranks.DomainExampleTest" region="domain"}
 *
 * <p>On UCX 1.13, which the software DOCA is built with, all of it works, inline and from mapped memory.
 * Memory is mapped by a remote key, since exported memory handles came with UCX 1.14: the plugin answers
 * {@code NOT_SUPPORTED} to those.
 *
 * <p>{@link dev.jurom.plugin.sandbox.SandboxPlugin} is where to begin, on an engine of one's own; for
 * any thread there is {@code dev.jurom.Sandbox}. Codecs
 * ({@link dev.jurom.plugin.sandbox.SandboxCommandCodec},
 * {@link dev.jurom.plugin.sandbox.SandboxNotificationCodec}) pack
 * {@link dev.jurom.plugin.sandbox.SandboxCommand} and unpack
 * {@link dev.jurom.plugin.sandbox.SandboxNotification}, as the other side's
 * {@link dev.jurom.plugin.sandbox.UcxLayout} has it.
 */
@NullMarked
package dev.jurom.plugin.sandbox;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The sandbox plugin, {@code worker_sandbox}: UCX tagged send and receive, offloaded to the workers of a
 * domain.
 *
 * {@snippet class="dev.jurom.ranks.DomainExampleTest" region="domain"}
 *
 * <p>All operations work with UCX 1.13, which the software DOCA is built with, inline and with mapped
 * memory. Memory is mapped by a remote key, because exported memory handles exist since UCX 1.14 only:
 * the plugin answers {@code NOT_SUPPORTED} to them.
 *
 * <p>Begin with {@link dev.jurom.plugin.sandbox.SandboxPlugin} on an application's own engine, or with
 * {@code dev.jurom.Sandbox}, which is thread-safe. The codecs
 * {@link dev.jurom.plugin.sandbox.SandboxCommandCodec} and
 * {@link dev.jurom.plugin.sandbox.SandboxNotificationCodec} pack
 * {@link dev.jurom.plugin.sandbox.SandboxCommand} and unpack
 * {@link dev.jurom.plugin.sandbox.SandboxNotification} in the {@link dev.jurom.plugin.sandbox.UcxLayout}
 * of the plugin.
 */
@NullMarked
package dev.jurom.plugin.sandbox;

import org.jspecify.annotations.NullMarked;

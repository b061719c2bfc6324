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
 */
@NullMarked
package dev.jurom.plugin.sandbox;

import org.jspecify.annotations.NullMarked;

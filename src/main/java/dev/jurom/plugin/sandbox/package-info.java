// SPDX-License-Identifier: Apache-2.0
/** The sandbox plugin, {@code worker_sandbox}: UCX tagged send and receive, offloaded. */
package dev.jurom.plugin.sandbox;

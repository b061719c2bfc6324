// SPDX-License-Identifier: Apache-2.0
/**
 * System calls on file descriptors for which Java has no equivalent: local sockets that identify
 * the process of a peer, and one thread that waits for any number of file descriptors. Not
 * exported.
 */
@NullMarked
package dev.jurom.service.linux;

import org.jspecify.annotations.NullMarked;

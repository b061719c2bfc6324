// SPDX-License-Identifier: Apache-2.0
/**
 * The system calls on descriptors that Java has no equivalent for: local sockets that name the
 * process at the other end, and one thread that waits for any number of descriptors.
 */
@NullMarked
package dev.jurom.linux;

import org.jspecify.annotations.NullMarked;

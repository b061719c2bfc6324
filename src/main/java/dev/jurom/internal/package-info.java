// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of the facade: a progress engine that threads share, the slots of commands, and the
 * threads that complete futures.
 */
@NullMarked
package dev.jurom.internal;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * What drives the facade: the thread that has the progress engine, the queue of commands and their
 * slots, and the embedded service. Not exported; it knows nothing of the facade.
 */
@NullMarked
package dev.jurom.internal;

import org.jspecify.annotations.NullMarked;

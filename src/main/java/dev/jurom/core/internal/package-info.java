// SPDX-License-Identifier: Apache-2.0
/**
 * Classes that the core shares with the layers above: tables of objects by ticket, servers of the
 * requests that C functions record, polling, native calls without wrapper objects, and checks of
 * arguments. Not exported.
 */
@NullMarked
package dev.jurom.core.internal;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Classes that the layers above share with the core: tables of objects by ticket, servers of the
 * requests that C functions record, polls, calls without a wrapper's cost, and checks of arguments.
 * Not exported.
 */
@NullMarked
package dev.jurom.core.internal;

import org.jspecify.annotations.NullMarked;

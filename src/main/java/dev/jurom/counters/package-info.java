// SPDX-License-Identifier: Apache-2.0
/**
 * The files in which daemon, workers and hosts count: written for the daemon, read for all. Its
 * twin in C is {@code src/main/c/counters}; docs/counters.md has the layout. Exported to the command
 * line alone.
 */
@NullMarked
package dev.jurom.counters;

import org.jspecify.annotations.NullMarked;

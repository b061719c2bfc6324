// SPDX-License-Identifier: Apache-2.0
/**
 * Files with the counters of the daemon, workers and hosts: written for the daemon, read for all.
 * The corresponding C code is {@code src/main/c/counters}; docs/counters.md has the layout.
 * Exported to the command line tool only.
 */
@NullMarked
package dev.jurom.service.counters;

import org.jspecify.annotations.NullMarked;

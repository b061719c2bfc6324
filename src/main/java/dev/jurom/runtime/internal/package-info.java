// SPDX-License-Identifier: Apache-2.0
/**
 * How the native libraries are found, unpacked and loaded, and what this process sets for them: its
 * environment, its logging and the ends of its threads; and what other users' files and lines are
 * read with. Exported to the command line alone.
 */
@NullMarked
package dev.jurom.runtime.internal;

import org.jspecify.annotations.NullMarked;

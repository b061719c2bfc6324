// SPDX-License-Identifier: Apache-2.0
/**
 * Finds, unpacks and loads the native libraries; sets the environment and the logging of the
 * process for them; and reads files and lines of other users safely. Exported to the command line
 * tool only.
 */
@NullMarked
package dev.jurom.runtime.internal;

import org.jspecify.annotations.NullMarked;

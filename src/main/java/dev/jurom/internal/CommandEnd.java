// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import java.lang.foreign.MemorySegment;

/**
 * The outcome of a command.
 *
 * @param error the status of the answer, or of the submission
 * @param refused whether the library did not accept the command: the status is that of its
 *        submission
 * @param plugin the name of the plugin
 * @param command the type of the command
 * @param length bytes of the packed command
 * @param response the response of the plugin
 */
public record CommandEnd(
        DocaError error, boolean refused, String plugin, String command, long length, MemorySegment response) {}

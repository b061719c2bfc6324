// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;

/**
 * Reads the length of an inline part from the fields of a struct, with
 * {@link IntegerField#get(MemorySegment, long)} and
 * {@link PointerField#isNull(MemorySegment, long)}.
 */
@FunctionalInterface
public interface InlineLength {

    /**
     * Returns the length of the inline part.
     *
     * @param message the message, whose fixed part is complete and whose inline parts may not be
     * @param at the offset of the struct in it, in bytes
     * @return the length in bytes, unsigned; the caller validates it
     */
    long of(MemorySegment message, long at);
}

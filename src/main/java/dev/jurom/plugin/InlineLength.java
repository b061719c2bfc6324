// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;

/**
 * How many inline bytes a struct announces in its own fields. It reads them with
 * {@link IntegerField#get(MemorySegment, long)} and
 * {@link PointerField#isNull(MemorySegment, long)}.
 */
@FunctionalInterface
public interface InlineLength {

    /**
     * The length of the inline part.
     *
     * @param message the message; its fixed part is complete, its inline parts may not be
     * @param at where the struct begins in it, in bytes
     * @return the length in bytes, as an unsigned number; it need not be checked
     */
    long of(MemorySegment message, long at);
}

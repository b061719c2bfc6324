// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** The start of a field's inline bytes: the end of those of the fields declared before it. */
record InlineStart(List<? extends Field<?>> before) {

    /** Returns its offset in a struct at {@code at} whose inline parts begin at {@code inline}. */
    long of(MemorySegment message, long at, long inline) {
        long start = inline;
        for (int i = 0; i < before.size(); i++) {
            start = before.get(i).checkInline(message, at, start);
        }
        return start;
    }
}

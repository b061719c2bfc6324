// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Where a field's inline bytes begin: behind those of the fields declared before it. */
record InlineStart(List<? extends Field<?>> before) {

    /** Its offset, when the struct begins at {@code at} and its inline parts at {@code inline}. */
    long of(MemorySegment message, long at, long inline) {
        long start = inline;
        for (int i = 0; i < before.size(); i++) {
            start = before.get(i).checkInline(message, at, start);
        }
        return start;
    }
}

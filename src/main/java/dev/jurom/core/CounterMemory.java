// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Where the counter of a sync event is, if that is the caller's memory. */
final class CounterMemory {

    private final SyncEvent event;
    private MemorySegment memory = MemorySegment.NULL; // lives for ever: the library's own
    private @Nullable Buffer buffer; // in use by the event

    CounterMemory(SyncEvent event) {
        this.event = event;
    }

    /** Requires that memory can hold a counter. */
    static void requireSuitable(MemorySegment counter) {
        if (!counter.isNative()
                || counter.isReadOnly()
                || counter.byteSize() < Long.BYTES
                || counter.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException("The counter needs 8 writable bytes of native memory"
                    + " at a multiple of 8; " + counter + " is not that");
        }
    }

    /** The counter is in this memory from now on. */
    void use(MemorySegment counter) {
        leave();
        memory = counter;
    }

    /** The counter is in this buffer from now on, which must not change. */
    void use(Buffer counter) {
        leave();
        counter.beginUse();
        buffer = counter;
        memory = counter.data();
    }

    /** The event does without. */
    void leave() {
        if (buffer != null) {
            buffer.endUse();
            buffer = null;
        }
    }

    /** Requires that the memory has not been freed. */
    void require() {
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException(
                    "The memory of " + event + " is gone: its arena was closed before the event was");
        }
    }
}

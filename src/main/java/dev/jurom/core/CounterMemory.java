// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The memory of a sync event's counter, if the caller provides it. */
final class CounterMemory {

    private final SyncEvent event;
    private MemorySegment memory = MemorySegment.NULL; // always alive: the memory of the library
    private @Nullable Buffer buffer; // used by the event until released

    CounterMemory(SyncEvent event) {
        this.event = event;
    }

    /** Checks that memory can hold a counter. */
    static void requireSuitable(MemorySegment counter) {
        if (!counter.isNative()
                || counter.isReadOnly()
                || counter.byteSize() < Long.BYTES
                || counter.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException("The counter needs 8 writable bytes of native memory"
                    + ", aligned to 8 bytes: " + counter + " is not suitable");
        }
    }

    /** Moves the counter to this memory. */
    void use(MemorySegment counter) {
        release();
        memory = counter;
    }

    /** Moves the counter to this buffer, which must not change from now on. */
    void use(Buffer counter) {
        release();
        counter.beginUse();
        buffer = counter;
        memory = counter.data();
    }

    /** Releases the buffer. */
    void release() {
        if (buffer != null) {
            buffer.endUse();
            buffer = null;
        }
    }

    /** Checks that the memory was not freed. */
    void require() {
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException(
                    "The memory of " + event + " was freed: its arena was closed before the event");
        }
    }
}

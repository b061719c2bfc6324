// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a memory map does when the library needs its memory no more. The library says so while it
 * destroys the map, with native code on the stack: what the listener throws is kept until then.
 */
final class FreeListener {

    private Consumer<? super MemorySegment> listener = ignored -> {}; // until one is set
    private MemorySegment memory = MemorySegment.NULL;
    private long ticket; // what the library gives back; 0: none yet
    private @Nullable Throwable thrown;

    /** What the library is to give back, for this to be called. */
    MemorySegment ticket() {
        if (ticket == 0) {
            ticket = Callbacks.register(this);
        }
        return MemorySegment.ofAddress(ticket);
    }

    void set(Consumer<? super MemorySegment> toBeTold) {
        listener = toBeTold;
    }

    /** Sets what the listener will be given. */
    void setMemory(MemorySegment toBeFreed) {
        memory = toBeFreed;
    }

    /** Tells the listener, on behalf of the library. */
    void freed() {
        try {
            listener.accept(memory);
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
    }

    /** The library has destroyed the map. */
    void end() {
        Callbacks.unregister(ticket);
    }

    /** Throws what the listener has thrown, once. */
    void rethrow() {
        var kept = thrown;
        thrown = null;
        if (kept instanceof Error error) {
            throw error;
        } else if (kept instanceof RuntimeException exception) {
            throw exception;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls the listener of a memory map when the library no longer uses its memory. The library
 * reports that while it destroys the map, with native frames on the stack, so an exception of the
 * listener is stored and rethrown later.
 */
final class FreeListener {

    private Consumer<? super MemorySegment> listener = ignored -> {}; // no effect by default
    private MemorySegment memory = MemorySegment.NULL;
    private long ticket; // the cookie of the callback; 0: not registered yet
    private @Nullable Throwable thrown;

    /** Returns the cookie to register with the callback. */
    MemorySegment ticket() {
        if (ticket == 0) {
            ticket = Callbacks.register(this);
        }
        return MemorySegment.ofAddress(ticket);
    }

    void set(Consumer<? super MemorySegment> newListener) {
        listener = newListener;
    }

    /** Sets the memory to pass to the listener. */
    void setMemory(MemorySegment newMemory) {
        memory = newMemory;
    }

    /** Calls the listener, from the callback of the library. */
    void freed() {
        try {
            listener.accept(memory);
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
    }

    /** Unregisters the callback of a destroyed map. */
    void end() {
        Callbacks.unregister(ticket);
    }

    /** Rethrows the exception of the listener, once. */
    void rethrow() {
        var toThrow = thrown;
        thrown = null;
        if (toThrow instanceof Error error) {
            throw error;
        } else if (toThrow instanceof RuntimeException exception) {
            throw exception;
        }
    }
}

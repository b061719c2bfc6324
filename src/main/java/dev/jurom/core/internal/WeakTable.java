// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A table of weakly held objects with 64-bit tickets that C code can carry. A removed ticket is not
 * found again, and no ticket is 0. This class is thread-safe; {@link #get} takes no lock.
 *
 * @param <T> the type of the objects
 */
public final class WeakTable<T> {

    private static final int INITIAL_CAPACITY = 16;

    private static final class Entry<T> extends WeakReference<T> {

        private final long ticket;

        Entry(long ticket, T object) {
            super(object);
            this.ticket = ticket;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types cannot be created
    private volatile Entry<T>[] entries = new Entry[INITIAL_CAPACITY];

    private int generation; // guarded by this

    /** Creates an empty table. */
    public WeakTable() {}

    /**
     * Adds an object.
     *
     * @param object the object, not null
     * @return its ticket
     */
    public synchronized long add(T object) {
        var current = entries;
        var slot = 0;
        while (slot < current.length && current[slot] != null) {
            slot++;
        }
        if (slot == current.length) {
            current = Arrays.copyOf(current, slot * 2);
        }
        generation = generation == -1 ? 1 : generation + 1;
        var ticket = (long) generation << Integer.SIZE | slot;
        current[slot] = new Entry<>(ticket, object);
        entries = current; // makes the new entry visible to readers
        return ticket;
    }

    /**
     * Removes a ticket. Has no effect if it was removed.
     *
     * @param ticket any number
     */
    public synchronized void remove(long ticket) {
        var current = entries;
        var slot = (int) ticket;
        if (slot >= 0 && slot < current.length && current[slot] != null && current[slot].ticket == ticket) {
            current[slot] = null;
            entries = current;
        }
    }

    /**
     * Returns the object with a ticket.
     *
     * @param ticket any number
     * @return the object, or null if the ticket was removed or the object was collected
     */
    public @Nullable T get(long ticket) {
        var current = entries;
        var slot = (int) ticket;
        if (slot < 0 || slot >= current.length) {
            return null;
        }
        var entry = current[slot];
        return entry == null || entry.ticket != ticket ? null : entry.get();
    }
}

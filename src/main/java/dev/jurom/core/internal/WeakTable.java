// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Objects under 64-bit tickets that C code can carry, held weakly. Looking one up takes no lock.
 * A ticket that was given back leads nowhere, and none is 0.
 *
 * @param <T> what the objects are
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

    @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of generic types
    private volatile Entry<T>[] entries = new Entry[INITIAL_CAPACITY];

    private int generation; // guarded by this

    /** Makes an empty table. */
    public WeakTable() {}

    /**
     * Puts an object into a free slot.
     *
     * @param object not null
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
     * Gives a ticket back. Doing so again has no effect.
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
     * The object with a ticket.
     *
     * @param ticket any number
     * @return the object, or null if the ticket was given back or the object collected
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

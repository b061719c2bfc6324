// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A table of objects with 64-bit tickets that C code can carry. The lower half of a ticket is a
 * slot, the upper half the generation of the slot, so a removed ticket is not found again. No
 * ticket is 0. Not thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class SlotTable<T> {

    private static final int INITIAL_CAPACITY = 8;

    private Object[] objects = new Object[INITIAL_CAPACITY];
    private int[] generations = new int[INITIAL_CAPACITY];
    private int[] freeSlots = new int[INITIAL_CAPACITY];
    private int freeCount;
    private int used; // slots from here on were never used

    /** Creates an empty table. */
    public SlotTable() {}

    /**
     * Adds an object.
     *
     * @param object the object, not null
     * @return its ticket
     */
    public long add(T object) {
        var slot = freeCount > 0 ? freeSlots[--freeCount] : unusedSlot();
        objects[slot] = object;
        generations[slot]++;
        if (generations[slot] == 0) {
            generations[slot] = 1;
        }
        return (long) generations[slot] << Integer.SIZE | slot;
    }

    private int unusedSlot() {
        if (used == objects.length) {
            var capacity = used * 2;
            objects = Arrays.copyOf(objects, capacity);
            generations = Arrays.copyOf(generations, capacity);
            freeSlots = Arrays.copyOf(freeSlots, capacity);
        }
        return used++;
    }

    /**
     * Returns the object with a ticket.
     *
     * @param ticket any number
     * @return the object, or null if the ticket was removed or never existed
     */
    @SuppressWarnings("unchecked")
    public @Nullable T get(long ticket) {
        var slot = (int) ticket;
        return isCurrent(slot, ticket) ? (T) objects[slot] : null;
    }

    /**
     * Removes a ticket. Has no effect if it was removed.
     *
     * @param ticket any number
     */
    public void remove(long ticket) {
        var slot = (int) ticket;
        if (isCurrent(slot, ticket) && objects[slot] != null) {
            objects[slot] = null;
            freeSlots[freeCount++] = slot;
        }
    }

    /**
     * Returns the number of objects in the table.
     *
     * @return 0 or more
     */
    int size() {
        return used - freeCount;
    }

    private boolean isCurrent(int slot, long ticket) {
        return slot >= 0 && slot < generations.length && generations[slot] == (int) (ticket >>> Integer.SIZE);
    }
}

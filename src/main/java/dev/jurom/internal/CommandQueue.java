// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Commands that wait to be submitted: any thread adds, one takes all. No locks, no allocation. */
final class CommandQueue {

    private final AtomicReference<CommandSlot> newest = new AtomicReference<>();

    void add(CommandSlot slot) {
        CommandSlot before;
        do {
            before = newest.get();
            slot.next = before;
        } while (!newest.compareAndSet(before, slot));
    }

    boolean isEmpty() {
        return newest.get() == null;
    }

    /** Takes all that are queued, linked by {@code next} in the order in which they were added. */
    @Nullable CommandSlot takeAll() {
        if (newest.get() == null) {
            return null;
        }
        var slot = newest.getAndSet(null);
        CommandSlot oldest = null;
        while (slot != null) {
            var before = slot.next;
            slot.next = oldest;
            oldest = slot;
            slot = before;
        }
        return oldest;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The command slots of a worker that are free. Taking one waits while there is none: this is what
 * holds submitters back. Any thread may take and give; neither allocates.
 */
final class FreeSlots {

    private final CommandSlot[] slots;
    private final int[] below; // the place of the free slot under each one, -1 for none
    private final AtomicLong top; // place + 1 of the topmost in the lower half, a counter above
    private final Semaphore free;

    FreeSlots(List<CommandSlot> slots) {
        this.slots = slots.toArray(CommandSlot[]::new);
        this.below = new int[this.slots.length];
        for (var i = 0; i < below.length; i++) {
            below[i] = i - 1;
        }
        this.top = new AtomicLong(this.slots.length);
        this.free = new Semaphore(this.slots.length);
    }

    int size() {
        return slots.length;
    }

    /** One of them, free or not. */
    CommandSlot get(int place) {
        return slots[place];
    }

    /** A free slot, or null if there is none now. */
    @Nullable CommandSlot tryTake() {
        return free.tryAcquire() ? pop() : null;
    }

    /** A free slot, or null if none became free in time. */
    @Nullable CommandSlot take(long nanoseconds) throws InterruptedException {
        return free.tryAcquire(nanoseconds, TimeUnit.NANOSECONDS) ? pop() : null;
    }

    /** Whether a slot is free now. */
    boolean isAnyFree() {
        return free.availablePermits() > 0;
    }

    /** Takes all slots, if all are free now. */
    boolean tryTakeAll() {
        return free.tryAcquire(slots.length);
    }

    /** Gives all slots back that were taken with {@link #tryTakeAll}. */
    void giveAll() {
        free.release(slots.length);
    }

    /** Gives a slot back. */
    void give(CommandSlot slot) {
        long before;
        do {
            before = top.get();
            below[slot.place] = (int) before - 1;
        } while (!top.compareAndSet(before, counted(before, slot.place)));
        free.release();
    }

    /** Takes the topmost; whoever has a permit finds one. */
    private CommandSlot pop() {
        while (true) {
            var before = top.get();
            var place = (int) before - 1;
            if (top.compareAndSet(before, counted(before, below[place]))) {
                return slots[place];
            }
        }
    }

    /** The top with another place, and with a count that tells it from all earlier ones. */
    private static long counted(long before, int place) {
        return (before >>> Integer.SIZE) + 1 << Integer.SIZE | place + 1;
    }
}

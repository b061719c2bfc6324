// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The command slots of a worker that are free. Taking one waits while there is none: this is what
 * holds submitters back. Any thread may take and give; neither allocates, and each is one atomic
 * step unless somebody waits.
 */
final class FreeSlots {

    private final CommandSlot[] slots;
    private final int[] below; // the place of the free slot under each one, -1 for none
    private final AtomicLong top; // place + 1 of the topmost in the lower half, a counter above
    private final AtomicInteger waiting = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    private int takenForGood; // the closer's own

    FreeSlots(List<CommandSlot> slots) {
        this.slots = slots.toArray(CommandSlot[]::new);
        this.below = new int[this.slots.length];
        for (var i = 0; i < below.length; i++) {
            below[i] = i - 1;
        }
        this.top = new AtomicLong(this.slots.length);
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
        while (true) {
            var before = top.get();
            var place = (int) before - 1;
            if (place < 0) {
                return null;
            }
            if (top.compareAndSet(before, counted(before, below[place]))) {
                return slots[place];
            }
        }
    }

    /** A free slot, or null if none became free in time. */
    @Nullable CommandSlot take(long nanoseconds) throws InterruptedException {
        var remaining = nanoseconds;
        lock.lockInterruptibly();
        waiting.incrementAndGet(); // first: who gives one afterwards sees it
        try {
            var slot = tryTake();
            while (slot == null && remaining > 0) {
                remaining = given.awaitNanos(remaining);
                slot = tryTake();
            }
            return slot;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }

    /** Whether a slot is free now. */
    boolean isAnyFree() {
        return (int) top.get() > 0;
    }

    /** Takes those that are free now, for good; whether all are taken so. For one thread alone. */
    boolean takeAllForGood() {
        while (tryTake() != null) {
            takenForGood++;
        }
        return takenForGood == slots.length;
    }

    /** Gives all slots back that were taken with {@link #takeAllForGood}. */
    void giveAll() {
        takenForGood = 0;
        for (var slot : slots) {
            give(slot);
        }
    }

    /** Gives a slot back. */
    void give(CommandSlot slot) {
        long before;
        do {
            before = top.get();
            below[slot.place] = (int) before - 1;
        } while (!top.compareAndSet(before, counted(before, slot.place)));
        if (waiting.get() > 0) {
            wakeOne();
        }
    }

    private void wakeOne() {
        lock.lock();
        try {
            given.signal();
        } finally {
            lock.unlock();
        }
    }

    /** The top with another place, and with a count that tells it from all earlier ones. */
    private static long counted(long before, int place) {
        return (before >>> Integer.SIZE) + 1 << Integer.SIZE | place + 1;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Platform threads that wait for answers while another thread drives the engine, and would drive it
 * themselves. Who finds no place here waits all the same, and leaves driving to others.
 */
final class Followers {

    private static final int PLACES = 64;

    private final AtomicReferenceArray<Thread> threads = new AtomicReferenceArray<>(PLACES);
    private final AtomicInteger count = new AtomicInteger();

    /** Adds the calling thread; returns its place, or -1 if all are taken. */
    int add() {
        var thread = Thread.currentThread();
        var start = (int) thread.threadId();
        for (var i = 0; i < PLACES; i++) {
            var place = start + i & PLACES - 1;
            if (threads.compareAndSet(place, null, thread)) {
                count.incrementAndGet();
                return place;
            }
        }
        return -1;
    }

    void remove(int place) {
        if (place >= 0) {
            threads.set(place, null);
            count.decrementAndGet();
        }
    }

    boolean isEmpty() {
        return count.get() == 0;
    }

    /** Wakes one; false if there is none. */
    boolean wakeOne() {
        for (var i = 0; i < PLACES && count.get() > 0; i++) {
            var thread = threads.get(i);
            if (thread != null) {
                LockSupport.unpark(thread);
                return true;
            }
        }
        return false;
    }
}

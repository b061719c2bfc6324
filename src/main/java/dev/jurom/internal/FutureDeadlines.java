// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The deadlines of futures, in order. Any thread adds and removes them; the engine thread handles those that
 * have passed. Thread-safe.
 */
final class FutureDeadlines {

    private final ConcurrentSkipListSet<Expiry> expiries = new ConcurrentSkipListSet<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Runnable wake;
    private volatile long planned = System.nanoTime(); // when the engine thread wakes up

    /**
     * A failure at a deadline.
     *
     * @param deadline the deadline
     * @param number distinguishes equal deadlines
     * @param operation names the operation and its object
     * @param fail receives the failure, on the engine thread
     */
    record Expiry(Deadline deadline, long number, Object operation, Consumer<RuntimeException> fail)
            implements Comparable<Expiry> {

        @Override
        public int compareTo(Expiry other) {
            var difference = deadline.at() - other.deadline.at(); // may wrap
            return difference != 0 ? Long.signum(difference) : Long.compare(number, other.number);
        }
    }

    /** Creates an empty set. The action wakes the engine thread. */
    FutureDeadlines(Runnable wake) {
        this.wake = wake;
    }

    Expiry add(Deadline deadline, Object operation, Consumer<RuntimeException> fail) {
        var expiry = new Expiry(deadline, numbers.getAndIncrement(), operation, fail);
        expiries.add(expiry);
        if (deadline.at() - planned < 0) {
            wake.run();
        }
        return expiry;
    }

    /** Removes a deadline. Throws nothing: without memory for it, it remains, and has no effect on a future that is done. */
    void remove(Expiry expiry) {
        try {
            expiries.remove(expiry);
        } catch (OutOfMemoryError e) {
            // removed at its time
        }
    }

    /** Plans the next wake-up of the engine thread, for a given time or the first deadline. Returns its time. */
    long plan(long latest) {
        planned = latest;
        if (expiries.isEmpty()) {
            return latest; // without an iterator, which would be allocated in each step of the engine thread
        }
        for (var first : expiries) { // any thread may remove it meanwhile
            planned = Math.min(first.deadline().at() - latest, 0) + latest;
            break;
        }
        return planned;
    }

    /** Handles the deadlines that have passed. If that fails, the next call handles the rest. */
    void expire(long now) {
        if (expiries.isEmpty()) {
            return;
        }
        for (var expiry : expiries) {
            if (expiry.deadline().at() - now > 0) {
                return;
            }
            expiry.fail().accept(expiry.deadline().failure(expiry.operation()));
            expiries.remove(expiry);
        }
    }

    /** Fails the futures that remain. */
    void end(RuntimeException reason) {
        expiries.forEach(expiry -> expiry.fail().accept(reason));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** The number of bytes that the workers of one user may log in a minute. This class is thread-safe. */
final class LogBudget {

    /** The number of bytes, which exceeds the files of a worker with the default size. */
    static final int BYTES = 32 << 20;

    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final ReentrantLock lock = new ReentrantLock();
    private long begin = System.nanoTime(); // this and the next: guarded by lock
    private long used;

    /** Creates an unused budget. */
    LogBudget() {}

    /** Counts bytes that have been logged. */
    void use(int bytes) {
        lock.lock();
        try {
            used += bytes;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the time until more bytes may be logged, which is zero while the budget lasts. */
    Duration pause() {
        lock.lock();
        try {
            var elapsed = System.nanoTime() - begin;
            if (elapsed >= PERIOD.toNanos()) {
                begin += elapsed;
                used = 0;
            }
            return used < BYTES ? Duration.ZERO : PERIOD.minusNanos(elapsed);
        } finally {
            lock.unlock();
        }
    }
}

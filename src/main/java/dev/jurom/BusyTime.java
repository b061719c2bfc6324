// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import java.time.Duration;

/**
 * The time for which a worker has answered none of its commands, from samples of its slots. Times are values of
 * {@link System#nanoTime()}. Not thread-safe.
 */
final class BusyTime {

    private static final int SAMPLES = 8; // in the limit
    private static final long MIN_PERIOD = 1_000_000;

    private final long limit;
    private long since; // the first of the samples between which nothing was answered

    /**
     * Creates a busy time of 0.
     *
     * @param limit its limit in nanoseconds
     * @param now the time
     */
    BusyTime(long limit, long now) {
        this.limit = limit;
        this.since = now;
    }

    /**
     * Returns the time between two samples, by which a busy worker is detected late.
     *
     * @return nanoseconds
     */
    long period() {
        return Math.max(limit / SAMPLES, MIN_PERIOD);
    }

    /**
     * Adds a sample.
     *
     * @param answeredNone whether the worker had commands at the last sample, and has answered none of them
     * @param now the time
     * @return whether the limit is exceeded
     */
    boolean isExceeded(boolean answeredNone, long now) {
        if (!answeredNone) {
            since = now;
        }
        return now - since > limit;
    }

    /**
     * Returns the time since the first of the samples between which nothing was answered.
     *
     * @param now the time
     * @return a duration
     */
    Duration at(long now) {
        return Duration.ofNanos(now - since);
    }
}

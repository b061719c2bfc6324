// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import java.time.Duration;

/**
 * Determines when a worker is started again. The pause before a start doubles with each start that failed and each
 * worker that ended soon; after a worker that ran for long, there is none. Times are values of
 * {@link System#nanoTime()}. Not thread-safe.
 */
final class Restarts {

    static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    static final Duration LONG_LIFE = Duration.ofSeconds(10);

    private long pause; // nanoseconds
    private long next; // the earliest time of the next start
    private long started;
    private boolean running;

    /**
     * Creates the restarts of a worker that was not started.
     *
     * @param now the time
     */
    Restarts(long now) {
        next = now;
    }

    /**
     * Records that the worker runs.
     *
     * @param now the time
     */
    void started(long now) {
        started = now;
        running = true;
    }

    /**
     * Records that the worker has ended, or could not be started.
     *
     * @param now the time
     */
    void ended(long now) {
        var livedLong = running && now - started >= LONG_LIFE.toNanos();
        pause = livedLong ? 0 : Math.clamp(2 * pause, FIRST_PAUSE.toNanos(), LONGEST_PAUSE.toNanos());
        running = false;
        next = now + pause;
    }

    /**
     * Returns the time until the next start.
     *
     * @param now the time
     * @return nanoseconds; 0 if it may begin
     */
    long remaining(long now) {
        return Math.max(0, next - now);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When a command or an errand has taken too long.
 *
 * @param at when, as {@link System#nanoTime()} counts
 * @param timeout what was given to it
 */
record Deadline(long at, Duration timeout) {

    /** The one that is some time away from now. */
    static Deadline in(Duration timeout) {
        return new Deadline(System.nanoTime() + Timeout.nanos(timeout), timeout);
    }

    /** Nanoseconds that are left: 0 when it is past. */
    long remaining() {
        return Math.max(0, at - System.nanoTime());
    }

    /** What is said when it is past: who was asked, and how long it had. */
    DocaException failure(Object asked) {
        return new DocaException(DocaError.TIME_OUT, "doca_pe_progress", asked.toString(),
                "It did not answer within " + text() + ": allow it more time, or see whether it"
                        + " still runs.");
    }

    private String text() {
        return timeout.getNano() == 0 ? timeout.toSeconds() + " s"
                : TimeUnit.SECONDS.toMillis(timeout.toSeconds()) + timeout.toMillisPart() + " ms";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

import java.time.Duration;

/**
 * Logs a failure that may repeat many times a second, at most once a minute. This class is thread-safe.
 */
public final class RepeatedFailure {

    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final ServiceLog log;
    private long logged = System.nanoTime() - PAUSE.toNanos();
    private long since; // number of failures that were not logged

    /**
     * Creates a failure that has not happened.
     *
     * @param log receives the failure
     */
    public RepeatedFailure(ServiceLog log) {
        this.log = log;
    }

    /**
     * Logs the failure as an error, unless it was logged less than a minute ago. The next line then states how
     * often it happened meanwhile.
     *
     * @param message a sentence that describes the failure
     */
    public synchronized void happened(String message) {
        var now = System.nanoTime();
        if (now - logged < PAUSE.toNanos()) {
            since++;
            return;
        }
        log.error(since == 0 ? message : message + " (" + since + " further times since this was logged)");
        logged = now;
        since = 0;
    }
}

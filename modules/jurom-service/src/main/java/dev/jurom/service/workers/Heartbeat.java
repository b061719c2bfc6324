// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.service.wire.Frame;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The pending PING of a worker, which shows whether the worker answers. This class is thread-safe. */
final class Heartbeat {

    private long lastPing;
    private boolean pending;
    private boolean reported;
    private long since = System.nanoTime(); // time of the pending PING, or else of the last answer

    /** Returns how long an answer has been pending; zero if none is. */
    synchronized Duration pendingTime() {
        return pending ? Duration.ofNanos(System.nanoTime() - since) : Duration.ZERO;
    }

    /** Returns the next PING, or null if one is pending or the last answer is more recent than {@code pause}. */
    synchronized Frame.@Nullable Ping nextPing(Duration pause) {
        if (pending || System.nanoTime() - since < pause.toNanos()) {
            return null;
        }
        pending = true;
        reported = false;
        since = System.nanoTime();
        return new Frame.Ping(++lastPing);
    }

    /** Records an answer; returns false if it does not match a pending PING. */
    synchronized boolean answered(Frame.Pong pong) {
        if (!pending || pong.requestId() != lastPing) {
            return false;
        }
        pending = false;
        since = System.nanoTime();
        return true;
    }

    /** Restarts the time, because answers could not be received. */
    synchronized void restart() {
        since = System.nanoTime();
    }

    /** Returns true for the first call during a pending PING. */
    synchronized boolean reportOnce() {
        var first = !reported;
        reported = true;
        return first;
    }
}

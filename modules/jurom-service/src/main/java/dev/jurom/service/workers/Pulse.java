// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.service.wire.Frame;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether a worker answers: the PING that it owes an answer to. Any thread may use it. */
final class Pulse {

    private long lastPing;
    private boolean owed;
    private boolean reported;
    private long since = System.nanoTime(); // of the PING that is owed, else of the last answer

    /** How long an answer has been owed; zero: none is. */
    synchronized Duration owedFor() {
        return owed ? Duration.ofNanos(System.nanoTime() - since) : Duration.ZERO;
    }

    /** The next PING, if none is owed and the last answer is that old. */
    synchronized Frame.@Nullable Ping nextPing(Duration pause) {
        if (owed || System.nanoTime() - since < pause.toNanos()) {
            return null;
        }
        owed = true;
        reported = false;
        since = System.nanoTime();
        return new Frame.Ping(++lastPing);
    }

    /** The worker has answered; false: not to a PING that it owed an answer to. */
    synchronized boolean answered(Frame.Pong pong) {
        if (!owed || pong.requestId() != lastPing) {
            return false;
        }
        owed = false;
        since = System.nanoTime();
        return true;
    }

    /** Its time begins anew: it could not be heard. */
    synchronized void restart() {
        since = System.nanoTime();
    }

    /** True the first time that it is asked about the answer that is owed. */
    synchronized boolean reportOnce() {
        var first = !reported;
        reported = true;
        return first;
    }
}

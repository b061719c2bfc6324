// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.EventDescriptor;
import dev.jurom.core.internal.Poll;
import java.lang.foreign.Arena;
import java.time.Duration;

/**
 * A sleep that ends when the engine has something to tell or another thread wakes the sleeper. The
 * sleeper enters, looks once more whether there is nothing to do, waits, and leaves: who gave it
 * something to do after that look finds it entered. One thread sleeps here at a time.
 */
final class EngineSleep {

    private final EventDescriptor event = new EventDescriptor();
    private final Poll poll;
    private volatile boolean entered;
    private boolean freed; // guarded by event

    /** For an engine of the calling thread. */
    EngineSleep(ProgressEngine engine) {
        poll = new Poll(Arena.ofAuto(), engine.notificationHandle(), event.descriptor());
    }

    void enter() {
        entered = true;
    }

    void await(Duration atMost) {
        poll.await(atMost);
    }

    void leave() {
        entered = false;
        event.drain();
    }

    /** Wakes who has entered; false if nobody has. Any thread may do so. */
    boolean wake() {
        if (!entered) {
            return false;
        }
        signal();
        return true;
    }

    /** Ends the wait under way, or else the next one. Any thread may do so. */
    void interrupt() {
        signal();
    }

    /** Who wakes may come when the sleeper is gone: the descriptor is somebody else's then. */
    private void signal() {
        synchronized (event) {
            if (!freed) {
                event.signal();
            }
        }
    }

    /** Gives the event descriptor back; nobody sleeps here any more. No effect if it was done. */
    void free() {
        synchronized (event) {
            if (!freed) {
                freed = true;
                event.close();
            }
        }
    }
}

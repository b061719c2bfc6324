// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ProgressEngine;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Who has the progress engine: at most one thread, the leader. What depends on an answer runs in
 * the leader and may take the lead again in there; it is free when it was given as often as taken,
 * or given up altogether.
 */
final class EngineLead {

    private final ProgressEngine engine;
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    private int depth; // the leader's own

    /** Of an engine of the calling thread, which leads at first. */
    EngineLead(ProgressEngine engine) {
        this.engine = engine;
        leader.set(Thread.currentThread());
        depth = 1;
    }

    /** Takes the lead unless another thread has it. */
    boolean tryTake() {
        var me = Thread.currentThread();
        var current = leader.get();
        if (current == me) {
            depth++;
            return true;
        }
        if (current != null || !leader.compareAndSet(null, me)) {
            return false;
        }
        engine.acquire();
        depth = 1;
        return true;
    }

    /**
     * Gives the lead as often as it was taken once; whether it is free by that. No effect if the
     * calling thread has given it up since.
     */
    boolean give() {
        return isMine() && --depth == 0 && free();
    }

    /** Gives the lead up, however often it was taken; whether the calling thread had it. */
    boolean giveUp() {
        return isMine() && free();
    }

    private boolean free() {
        engine.release(); // first: it refuses inside a callback, and nothing has changed then
        depth = 0;
        leader.set(null);
        return true;
    }

    boolean isFree() {
        return leader.get() == null;
    }

    boolean isMine() {
        return isHeldBy(Thread.currentThread());
    }

    boolean isHeldBy(Thread thread) {
        return leader.get() == thread;
    }
}

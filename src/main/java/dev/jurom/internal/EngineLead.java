// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ProgressEngine;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Who has the progress engine: at most one thread, the leader. What depends on an answer runs in
 * the leader and may take the lead again in there; it is free when it was given as often as taken.
 */
final class EngineLead {

    private final ProgressEngine engine;
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    private int depth; // the leader's own
    private volatile long turns;

    /** Takes an engine from the calling thread, which owns it: whoever leads will. */
    EngineLead(ProgressEngine engine) {
        this.engine = engine;
        engine.release();
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
        turns++;
        return true;
    }

    /** Gives the lead; whether it is free now. For the leader. */
    boolean give() {
        if (--depth > 0) {
            return false;
        }
        engine.release();
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

    /** How often somebody has begun to lead. */
    long turns() {
        return turns;
    }
}

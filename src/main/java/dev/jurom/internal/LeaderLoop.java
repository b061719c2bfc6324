// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ProgressEngine;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What the leader does: runs errands, hands over what is queued, progresses the engine and answers
 * what has completed, over and over; when it finds nothing, it goes on looking for a while, then
 * sleeps. All is the leader's but for waking and stopping, which any thread may do.
 */
final class LeaderLoop {

    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);
    private static final int LOOKS_PER_CLOCK = 64; // at the clock, which costs as much as a look

    private final ProgressEngine engine;
    private final CommandFlow commands;
    private final Errands errands;
    private final EngineSleep sleep;
    private final long spinNanos;
    private volatile boolean stopped;

    /** For an engine of the calling thread; {@code spinNanos}: from 0 to {@link Long#MAX_VALUE}. */
    LeaderLoop(ProgressEngine engine, CommandFlow commands, Errands errands, long spinNanos) {
        this.engine = engine;
        this.commands = commands;
        this.errands = errands;
        this.sleep = new EngineSleep(engine);
        this.spinNanos = spinNanos;
    }

    /** Goes round until something is done, the deadline is past, or this is stopped. */
    void run(BooleanSupplier done, long deadline) {
        var looks = 0;
        var idleSince = 0L;
        while (!done.getAsBoolean()) {
            if (step()) {
                looks = 0;
                continue;
            }
            looks++;
            if (looks % LOOKS_PER_CLOCK == 1 || spinNanos == 0) {
                var now = System.nanoTime();
                idleSince = looks == 1 ? now : idleSince;
                if (stopped || deadline != Long.MAX_VALUE && deadline - now <= 0) {
                    return;
                }
                if (now - idleSince >= spinNanos) {
                    sleep(done, deadline);
                }
            }
            Thread.onSpinWait();
        }
    }

    /** One look at everything; whether there was something to do. */
    boolean step() {
        var worked = errands.run() | commands.submitQueued();
        if (engine.progress()) {
            worked = true;
            commands.finishCompleted();
        }
        return worked;
    }

    /** Goes round as long as there is something to do. */
    void stepAll() {
        while (step()) {
            continue;
        }
    }

    /**
     * Sleeps until something arrives, or somebody queues something, or what is waited for is done.
     */
    private void sleep(BooleanSupplier done, long deadline) {
        engine.requestNotification();
        sleep.enter();
        try {
            if (!commands.isQueued() && !errands.isAsked() && !done.getAsBoolean() && !stopped) {
                sleep.await(longestSleep(deadline));
            }
        } finally {
            sleep.leave();
            engine.clearNotification();
        }
    }

    /** How long to sleep at most before a deadline of {@link System#nanoTime()}. */
    static Duration longestSleep(long deadline) {
        if (deadline == Long.MAX_VALUE) {
            return LONGEST_SLEEP;
        }
        var remaining = Math.max(0, deadline - System.nanoTime());
        return remaining < LONGEST_SLEEP.toNanos() ? Duration.ofNanos(remaining) : LONGEST_SLEEP;
    }

    /** Has a leader that sleeps look at everything; false if none sleeps. */
    boolean wake() {
        return sleep.wake();
    }

    /** Has a leader look at everything that sleeps, or would next. */
    void interruptSleep() {
        sleep.interrupt();
    }

    /** Has {@link #run} return, for good. */
    void stop() {
        stopped = true;
        sleep.interrupt();
    }

    boolean isStopped() {
        return stopped;
    }

    /** Gives the event descriptor back; nobody uses this any more. */
    void free() {
        sleep.free();
    }
}

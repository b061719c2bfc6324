// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ProgressEngine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * What the leader does: runs errands, hands over what is queued, progresses the engine and answers
 * what has completed, over and over; when it finds nothing, it goes on looking for a while, then
 * sleeps. All is the leader's but for waking and stopping, which any thread may do.
 */
final class LeaderLoop {

    /** 1 to 512 ms: who sleeps makes no object. */
    private static final Duration[] SLICES = IntStream.range(0, 10)
            .mapToObj(exponent -> Duration.ofMillis(1L << exponent)).toArray(Duration[]::new);

    /** Nanoseconds of the longest sleep. */
    private static final long LONGEST_SLEEP = 1_000_000_000;

    private static final int LOOKS_PER_CLOCK = 64; // at the clock, which costs as much as a look
    private static final int FIRST_CLOCK = 16; // looks: an answer is often there before
    private static final int STEPS_PER_CLOCK = 1024; // while there is always something to do

    /** How many nanoseconds a virtual thread looks for what does not come. */
    private static final long LONGEST_VIRTUAL_SPIN = 100_000;

    /** How late a leader that sleeps hears of an interrupt: it does not end a native wait. */
    private static final long INTERRUPT_NANOS = 20_000_000;

    private final ProgressEngine engine;
    private final EngineLead lead;
    private final CommandFlow commands;
    private final Errands errands;
    private final CommandDeadlines deadlines;
    private final EngineSleep sleep;
    private final long spinNanos;
    private int steps; // the leader's own
    private final AtomicLong turns = new AtomicLong(); // written by leaders alone
    private volatile boolean stopped;

    /** For an engine of the calling thread; {@code spinNanos}: from 0 to {@link Long#MAX_VALUE}. */
    LeaderLoop(ProgressEngine engine, EngineLead lead, CommandFlow commands, Errands errands,
            CommandDeadlines deadlines, long spinNanos) {
        this.engine = engine;
        this.lead = lead;
        this.commands = commands;
        this.errands = errands;
        this.deadlines = deadlines;
        this.sleep = new EngineSleep(engine);
        this.spinNanos = spinNanos;
    }

    /**
     * Goes round until something is done, the deadline is past, the calling thread is interrupted,
     * if that counts, or has stepped down, or this is stopped; or, instead of sleeping, if the
     * thread may not sleep, or has looked for a time that a carrier of virtual threads can spare.
     */
    void run(BooleanSupplier done, long deadline, boolean interruptible, boolean maySleep) {
        turns.setRelease(turns.getPlain() + 1);
        var looks = 0;
        var idleSince = 0L;
        while (!done.getAsBoolean() && lead.isMine()) {
            var worked = step();
            looks = worked ? 0 : looks + 1;
            if (!isTimeForClock(looks)) {
                continue;
            }
            var now = System.nanoTime();
            idleSince = looks <= FIRST_CLOCK ? now : idleSince;
            if (isOver(deadline, now, interruptible)) {
                return;
            }
            if (!deadlines.sweepIfDue(now) && !worked
                    && isTimeToSleep(now - idleSince, maySleep)) {
                if (!maySleep) {
                    return;
                }
                sleep(done, deadline, interruptible);
            }
        }
    }

    /** How often somebody has begun to go round. */
    long turns() {
        return turns.getAcquire();
    }

    private boolean isTimeForClock(int looks) {
        if (looks == 0) {
            return ++steps % STEPS_PER_CLOCK == 0;
        }
        return looks % LOOKS_PER_CLOCK == FIRST_CLOCK || spinNanos == 0;
    }

    private boolean isTimeToSleep(long idleNanos, boolean maySleep) {
        var longest = maySleep ? spinNanos : Math.min(spinNanos, LONGEST_VIRTUAL_SPIN);
        return idleNanos >= longest || !commands.isAnyPending() && errands.count() == 0;
    }

    private boolean isOver(long deadline, long now, boolean interruptible) {
        return stopped || deadline != Long.MAX_VALUE && deadline - now <= 0
                || interruptible && Thread.currentThread().isInterrupted();
    }

    /** One look at everything; whether there was something to do. */
    private boolean step() {
        var worked = errands.run();
        if (lead.isMine()) { // an errand may have had this thread step down
            worked |= commands.submitQueued();
        }
        if (lead.isMine()
                && (engine.progress(commands.expected()) > 0 | commands.isAnyCompleted())) {
            worked = true;
            commands.finishCompleted();
        }
        return worked;
    }

    /** Goes round as long as there is something to do; whether the thread leads still. */
    boolean stepAll() {
        while (lead.isMine() && step()) {
            continue;
        }
        return lead.isMine();
    }

    /**
     * Sleeps until something arrives, or somebody queues something, or what is waited for is done,
     * or there are deadlines to look at.
     */
    private void sleep(BooleanSupplier done, long deadline, boolean interruptible) {
        engine.requestNotification();
        sleep.enter();
        try {
            if (!commands.isQueued() && !errands.isAsked() && !done.getAsBoolean() && !stopped) {
                var nanos = Math.min(longestSleep(deadline), longestSleep(deadlines.next()));
                sleep.await(slice(interruptible ? Math.min(nanos, INTERRUPT_NANOS) : nanos));
            }
        } finally {
            sleep.leave();
            engine.clearNotification();
        }
    }

    /** The longest of the slices that are no longer than that, or the shortest. */
    private static Duration slice(long nanos) {
        return SLICES[Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, nanos / 1_000_000))];
    }

    /** How many nanoseconds to sleep at most before a deadline of {@link System#nanoTime()}. */
    static long longestSleep(long deadline) {
        return deadline == Long.MAX_VALUE ? LONGEST_SLEEP
                : Math.clamp(deadline - System.nanoTime(), 0, LONGEST_SLEEP);
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

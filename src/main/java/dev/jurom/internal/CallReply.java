// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a blocking call waits for. It belongs to a slot and is used again by every call that takes
 * the slot, one turn each, so that a call makes no object. When the command settles it, who calls
 * gives the slot back. When something else does, the caller and the command both have to leave it
 * first, in any order: who leaves last gives the slot back, so that no turn begins while the one
 * before it is still looked at.
 */
final class CallReply implements Reply {

    // The phases of a turn, in the lower bits of the state.
    private static final long WAITING = 0;
    private static final long SETTLING = 1; // by one thread, which waits for nothing
    private static final long SETTLED = 2;
    private static final long PHASES = 3;
    private static final long TURN = 4;

    private final EngineDriver driver;
    private final AtomicLong state = new AtomicLong(SETTLED);
    private final AtomicReference<@Nullable Deadline> deadline = new AtomicReference<>();
    private volatile @Nullable Thread sleeper;

    // Of who settles it, then of who waits.
    private final AtomicReference<Object> answer = new AtomicReference<>(); // may be null
    private @Nullable Throwable failure;
    private boolean byCommand;

    /** One of the caller and the command has left a turn that the command did not settle. */
    private final AtomicBoolean left = new AtomicBoolean();

    CallReply(EngineDriver driver) {
        this.driver = driver;
    }

    /** Begins a turn; for the thread that has the slot. */
    void begin(@Nullable Deadline last) {
        deadline.setRelease(last);
        left.setPlain(false);
        state.setRelease((state.getPlain() & ~PHASES) + TURN);
    }

    /** The command was answered, or failed; whether the caller gives the slot back. */
    boolean settle(@Nullable Object result, @Nullable Throwable reason) {
        return settle(turn(), result, reason, true) || !leave();
    }

    /**
     * The caller or the command leaves a turn that the command did not settle; whether the other
     * has left before: then the slot is to be given back.
     */
    boolean leave() {
        return left.getAndSet(true);
    }

    private boolean settle(long turn, @Nullable Object result, @Nullable Throwable reason,
            boolean command) {
        if (!state.compareAndSet(turn | WAITING, turn | SETTLING)) { // who would sleep sees this
            return false;
        }
        var thread = sleeper;
        answer.setPlain(result);
        failure = reason;
        byCommand = command;
        state.setRelease(turn | SETTLED);
        if (thread != null) {
            LockSupport.unpark(thread);
        }
        driver.wakeSleepingLeader();
        return true;
    }

    /**
     * Has the command of a slot run and waits for the answer; drives the engine meanwhile if nobody
     * else does.
     *
     * @param slot whose this is; given back unless its command is still under way, which does so
     *        then
     * @throws InterruptedException if the calling thread is interrupted: nobody waits any more
     */
    Object call(CommandSlot slot) throws InterruptedException {
        var turn = turn();
        var last = deadline.getPlain(); // a sweep may set another later, and sees to it
        drive(slot, turn, last == null ? Long.MAX_VALUE : last.at());
        while (!isDone()) {
            if (Thread.interrupted()) {
                giveUp(slot, turn);
            } else if (last != null && last.remaining() <= 0) {
                fail(turn, last.failure(slot.worker));
            } else {
                sleep(LeaderLoop.longestSleep(last == null ? Long.MAX_VALUE : last.at()));
                driver.deadlines().failIfOver(this, turn);
            }
        }
        return outcome(slot);
    }

    private void drive(CommandSlot slot, long turn, long last) {
        try {
            driver.call(slot, this, last);
        } catch (RuntimeException | Error e) { // of what else the engine has to do
            fail(turn, e);
            awaitSettled();
            end(slot);
            throw e;
        }
    }

    /** Nobody waits any more, unless it was settled at that moment: then that counts. */
    private void giveUp(CommandSlot slot, long turn) throws InterruptedException {
        if (settle(turn, null, null, false)) {
            end(slot);
            driver.leave();
            throw new InterruptedException();
        }
        Thread.currentThread().interrupt();
        awaitSettled();
    }

    private void awaitSettled() {
        while (!isDone()) {
            Thread.onSpinWait();
        }
    }

    private Object outcome(CommandSlot slot) {
        var result = answer.getPlain();
        var reason = failure;
        end(slot);
        if (reason != null) {
            throw DrivenFuture.unchecked(reason);
        }
        return result;
    }

    /** The caller looks at this no more: another turn may begin. */
    private void end(CommandSlot slot) {
        answer.setPlain(null);
        failure = null;
        if (byCommand || leave()) {
            slot.worker.give(slot);
        }
    }

    @Override
    public boolean getAsBoolean() {
        return (state.get() & PHASES) != WAITING;
    }

    @Override
    public boolean isDone() {
        return (state.getAcquire() & PHASES) == SETTLED;
    }

    @Override
    public long turn() {
        return state.getAcquire() & ~PHASES;
    }

    @Override
    public @Nullable Deadline deadline() {
        return deadline.get();
    }

    @Override
    public void limit(Deadline usual) {
        deadline.compareAndSet(null, usual);
    }

    @Override
    public void fail(long turn, Throwable reason) {
        settle(turn, null, reason, false);
    }

    @Override
    public boolean beginSleep() {
        sleeper = Thread.currentThread(); // nobody else waits for it
        return true;
    }

    @Override
    public void endSleep() {
        sleeper = null;
    }

    @Override
    public void sleep(long nanoseconds) {
        beginSleep();
        if (!getAsBoolean()) {
            LockSupport.parkNanos(this, nanoseconds);
        }
        endSleep();
        if (getAsBoolean()) {
            awaitSettled();
        }
    }
}

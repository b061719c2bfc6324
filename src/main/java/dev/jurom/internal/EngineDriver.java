// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ProgressEngine;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives a progress engine on behalf of many threads: leader and followers.
 *
 * <p>At any time, at most one thread leads ({@link EngineLead}): it goes round the
 * {@link LeaderLoop}. A platform thread that waits for an answer leads when nobody does, so that
 * its command makes no detour through another thread; those that wait meanwhile follow, and one of
 * them takes over when it leaves. When nobody waits, the {@link DriverThread} sees to it.
 *
 * <p>A virtual thread leads as long as there is no reason to sleep, which would keep its carrier.
 * All times are of {@link System#nanoTime()}.
 */
final class EngineDriver {

    private static final long RETRY_NANOS = 1_000_000;

    private final ProgressEngine engine;
    private final EngineLead lead;
    private final CommandDeadlines deadlines;
    private final CommandFlow commands;
    private final Errands errands;
    private final Followers followers = new Followers();
    private final LeaderLoop loop;
    private final DriverThread thread;

    /**
     * Takes over an engine of the calling thread, which is the one that will run this.
     *
     * @param spinNanos how long a leader that finds nothing goes on looking before it sleeps, from
     *        0 to {@link Long#MAX_VALUE}
     * @param deadlines of what is asked of this driver
     */
    EngineDriver(ProgressEngine engine, long spinNanos, CommandDeadlines deadlines) {
        this.engine = engine;
        this.lead = new EngineLead(engine);
        this.deadlines = deadlines;
        this.commands = new CommandFlow(engine, lead);
        this.errands = new Errands(lead);
        this.loop = new LeaderLoop(engine, lead, commands, errands, deadlines, spinNanos);
        this.thread = new DriverThread(engine, this, loop, followers, deadlines);
        OpenDrivers.add(this);
        lead.give();
    }

    ProgressEngine engine() {
        return engine;
    }

    CommandDeadlines deadlines() {
        return deadlines;
    }

    /** Where the library's completions go. */
    CommandFlow commands() {
        return commands;
    }

    /**
     * Queues a command that nobody waits for yet. If nobody leads, the calling thread hands it to
     * the library at once.
     */
    void submit(CommandSlot slot, @Nullable Deadline deadline) {
        commands.add(slot);
        if (deadline != null) {
            deadlines.expect(deadline.at());
        }
        if (tryLead()) {
            try {
                commands.submitQueued();
                commands.finishCompleted();
            } finally {
                if (lead.give() && hasWork() && !followers.wakeOne()) {
                    thread.expectWork(); // who submits often comes back to wait
                }
            }
        } else {
            wakeLeader();
        }
    }

    /**
     * Has a command run and waits for it, until a deadline or an interrupt. If nobody leads, the
     * calling thread does, and hands the command to the library at once.
     */
    void call(CommandSlot slot, CallReply reply, long deadline) {
        var virtual = Thread.currentThread().isVirtual();
        if (tryLead()) {
            try {
                commands.submit(slot); // first: whatever fails, the command is on its way
                OpenDrivers.stepDownFromAllBut(this);
                loop.run(reply, deadline, true, !virtual);
            } finally {
                stepDown();
            }
            if (virtual) {
                return; // it has done what it can
            }
        } else {
            commands.add(slot);
            wakeLeader();
        }
        await(reply, deadline, true);
    }

    /** Has the leader run something soon, with the engine; it must be quick. Any thread may ask. */
    void control(Runnable action) {
        errands.ask(action);
        wakeLeader();
    }

    /** Has the leader run something once a condition holds that it looks at; for the leader. */
    void when(BooleanSupplier condition, Runnable action) {
        errands.when(condition, action);
    }

    /** Has the leader run something once nothing else is left to do. Any thread may ask. */
    void whenQuiet(Runnable action) {
        control(() -> when(() -> !commands.isAnyPending() && errands.count() == 1, action));
    }

    /**
     * Waits for an answer, until a deadline; drives the engine when nobody else does. A virtual
     * thread does so as long as it need not sleep, and then returns. An interrupt ends it, or is
     * kept for later.
     */
    void await(Reply future, long deadline, boolean interruptible) {
        if (future.isDone()) {
            return;
        }
        OpenDrivers.stepDownFromAllBut(this);
        if (Thread.currentThread().isVirtual()) {
            lead(future, deadline, interruptible, false);
            return;
        }
        var followed = false;
        var interrupted = false;
        while (!future.isDone() && !isPast(deadline) && !loop.isStopped()
                && !(interruptible && Thread.currentThread().isInterrupted())) {
            if (!leadUntil(future, deadline, interruptible)) {
                follow(future, deadline);
                followed = true;
                // It would keep this thread from sleeping.
                interrupted |= !interruptible && Thread.interrupted();
            }
        }
        if (followed || !future.isDone()) {
            leave(); // who stepped down may have woken this thread to take over
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The calling thread waits no more: if it was the one to lead, another must. */
    void leave() {
        if (lead.isFree()) {
            passOn();
        }
    }

    private static boolean isPast(long deadline) {
        return deadline != Long.MAX_VALUE && deadline - System.nanoTime() <= 0;
    }

    private void follow(Reply future, long deadline) {
        if (!future.beginSleep()) {
            future.sleep(LeaderLoop.longestSleep(deadline)); // another thread follows for both
            return;
        }
        var place = followers.add();
        try {
            if (thread.leads(lead)) {
                wakeLeader(); // it gives way
            }
            if (!future.getAsBoolean() && !lead.isFree()) {
                LockSupport.parkNanos(this, LeaderLoop.longestSleep(deadline));
            }
        } finally {
            followers.remove(place);
            future.endSleep();
        }
        if (!lead.isFree()) { // else this may have been woken to lead
            deadlines.sweepIfDue(System.nanoTime()); // what the leader runs may be long
        }
    }

    /**
     * Drives the engine until something is done, unless another thread does; whether it did. It may
     * end earlier: when the deadline is past, by an interrupt, when this is stopped.
     */
    boolean leadUntil(BooleanSupplier done, long deadline, boolean interruptible) {
        return lead(done, deadline, interruptible, true);
    }

    private boolean lead(BooleanSupplier done, long deadline, boolean interruptible,
            boolean maySleep) {
        if (!tryLead()) {
            return false;
        }
        try {
            loop.run(done, deadline, interruptible, maySleep);
        } finally {
            stepDown();
        }
        return true;
    }

    /** Whether the calling thread drives the engine: it runs what depends on an answer. */
    boolean isLeader() {
        return lead.isMine();
    }

    /** Whether some thread drives the engine. */
    boolean isLed() {
        return !lead.isFree();
    }

    /** How often somebody has begun to see to the answers: who merely submits does not. */
    long turns() {
        return loop.turns();
    }

    /** Takes the lead unless another thread has it. */
    boolean tryLead() {
        return lead.tryTake();
    }

    /**
     * Gives the lead, to another thread if there is work. No effect if the calling thread has given
     * it up since it took it.
     */
    void stepDown() {
        if (lead.give()) {
            passOn();
        }
    }

    /** Gives the lead up, if the calling thread has it, for good: however often it was taken. */
    void stepDownAltogether() {
        if (lead.giveUp()) {
            passOn();
        }
    }

    /** Nobody leads: has another thread do so if there is work. */
    private void passOn() {
        if (hasWork() && !followers.wakeOne()) {
            thread.wake();
        }
    }

    /** Whether commands or errands are left to do. */
    boolean hasWork() {
        return commands.isAnyPending() || errands.count() > 0;
    }

    /** Makes whoever leads, or could, look at the queues. */
    private void wakeLeader() {
        if (!loop.wake() && lead.isFree()) {
            thread.wake();
        }
    }

    /** Makes a leader that sleeps see that what it waits for is done. */
    void wakeSleepingLeader() {
        loop.wake();
    }

    /** The daemon thread's life, until {@link #stop}; then it leads for good, for the teardown. */
    void run() {
        thread.run();
        while (!tryLead()) {
            loop.interruptSleep(); // until others have left
            LockSupport.parkNanos(this, RETRY_NANOS);
        }
    }

    /** Has {@link #run} return, and everybody who waits. Any thread may ask. */
    void stop() {
        loop.stop();
        while (followers.wakeOne()) {
            Thread.yield();
        }
        thread.interruptSleep();
    }

    /** Gives the event descriptors back; whoever still wakes this driver wakes nobody. */
    void free() {
        OpenDrivers.remove(this);
        loop.free();
        thread.free();
    }
}

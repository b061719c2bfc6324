// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.EventDescriptor;
import dev.jurom.core.internal.Poll;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Drives a progress engine on behalf of many threads: leader and followers.
 *
 * <p>At any time, at most one thread leads: it has the engine, submits what is queued, progresses,
 * and completes futures. A platform thread that waits for an answer leads when nobody does, so that
 * its command makes no detour through another thread; those that wait meanwhile follow, and one of
 * them takes over when it leaves. When nobody waits and commands are in flight, this driver's own
 * daemon thread leads; and it gives way as soon as somebody waits. When nothing is in flight, that
 * thread watches the notification handle without leading, so that anybody can lead at once.
 *
 * <p>Virtual threads never lead: they queue and wait.
 */
final class EngineDriver implements Runnable {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom");

    private static final long SPIN_NANOS = 50_000;
    private static final int LOOKS_PER_CLOCK = 64; // at the clock, which costs as much as a look
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);
    private static final long QUIET_NANOS = 20_000_000; // until the watch begins again

    private final ProgressEngine engine;
    private final IdleStrategy strategy;
    private final Thread thread; // the daemon thread that runs this
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    private final CommandFlow commands = new CommandFlow();
    private final Errands errands = new Errands();
    private final Followers followers = new Followers();

    private final EventDescriptor leaderEvent = new EventDescriptor();
    private final EventDescriptor watchEvent = new EventDescriptor();
    private final Poll leaderPoll;
    private final Poll watchPoll;
    private volatile boolean leaderSleeps;
    private volatile boolean watching;
    private volatile boolean stopped;

    private int depth; // the leader's own
    private volatile long turns; // how often somebody began to lead

    /** Takes over an engine of the calling thread, which is the one that will run this. */
    EngineDriver(ProgressEngine engine, IdleStrategy strategy) {
        this.engine = engine;
        this.strategy = strategy;
        this.thread = Thread.currentThread();
        var arena = Arena.ofAuto();
        leaderPoll = new Poll(arena, engine.notificationHandle(), leaderEvent.descriptor());
        watchPoll = new Poll(arena, engine.notificationHandle(), watchEvent.descriptor());
        engine.release();
    }

    ProgressEngine engine() {
        return engine;
    }

    /** Where the library's completions go. */
    CommandFlow commands() {
        return commands;
    }

    /**
     * Queues a command that nobody waits for yet. If nobody leads, the calling thread hands it to
     * the library at once.
     */
    void submit(CommandSlot slot) {
        commands.add(slot);
        if (!Thread.currentThread().isVirtual() && tryLead()) {
            try {
                commands.submitQueued();
            } finally {
                stepDown();
            }
        } else {
            wakeLeader();
        }
    }

    /** Queues a command that the calling thread is about to wait for. */
    void submitAndAwait(CommandSlot slot, CommandFuture<?> future, long deadline) {
        commands.add(slot);
        if (leader.get() != null || Thread.currentThread().isVirtual()) {
            wakeLeader();
        }
        await(future, deadline);
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
        control(() -> when(() -> commands.pending() == 0 && errands.count() == 1, action));
    }

    /**
     * Waits for an answer, until a deadline of {@link System#nanoTime()}; drives the engine when
     * nobody else does. Virtual threads return at once. An interrupt is kept for later.
     */
    void await(CommandFuture<?> future, long deadline) {
        if (Thread.currentThread().isVirtual()) {
            return;
        }
        var followed = false;
        var interrupted = false;
        while (!future.isDone() && !isPast(deadline) && !stopped) {
            if (tryLead()) {
                try {
                    lead(future, deadline);
                } finally {
                    stepDown();
                }
            } else {
                follow(future, deadline);
                followed = true;
                interrupted |= Thread.interrupted(); // it would keep this thread from sleeping
            }
        }
        if (followed && leader.get() == null) {
            passOn(); // who stepped down may have woken this thread to take over
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Goes on to drive the engine until something is done, if the calling thread is the one that
     * drives it: waiting, it would wait for itself.
     */
    void leadOn(BooleanSupplier done, long deadline) {
        if (isLeader()) {
            lead(done, deadline);
        }
    }

    /** Whether the calling thread drives the engine: it runs what depends on an answer. */
    boolean isLeader() {
        return leader.get() == Thread.currentThread();
    }

    private static boolean isPast(long deadline) {
        return deadline != Long.MAX_VALUE && deadline - System.nanoTime() <= 0;
    }

    private void follow(CommandFuture<?> future, long deadline) {
        future.sleeper = Thread.currentThread();
        var place = followers.add();
        try {
            if (leader.get() == thread) {
                wakeLeader(); // it gives way
            }
            if (!future.isDone() && leader.get() != null) {
                var remaining = deadline == Long.MAX_VALUE ? LONGEST_SLEEP.toNanos()
                        : Math.min(deadline - System.nanoTime(), LONGEST_SLEEP.toNanos());
                LockSupport.parkNanos(this, remaining);
            }
        } finally {
            followers.remove(place);
            future.sleeper = null;
        }
    }

    /**
     * Takes the lead if nobody has it. A leader that completes a future may lead again in there.
     */
    private boolean tryLead() {
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

    private void stepDown() {
        if (--depth > 0) {
            return;
        }
        engine.release();
        leader.set(null);
        passOn();
    }

    /** Nobody leads: has another thread do so if there is work. */
    private void passOn() {
        if (hasWork() && !followers.wakeOne()) {
            wakeDriver();
        }
    }

    private boolean hasWork() {
        return commands.pending() > 0 || errands.count() > 0;
    }

    /** Makes whoever leads, or could, look at the queues. */
    private void wakeLeader() {
        if (leaderSleeps) {
            leaderEvent.signal();
        } else if (leader.get() == null) {
            wakeDriver();
        }
    }

    /** Makes a leader that sleeps see that what it waits for is done. */
    void wakeSleepingLeader() {
        if (leaderSleeps) {
            leaderEvent.signal();
        }
    }

    private void wakeDriver() {
        if (watching) {
            watchEvent.signal();
        }
        LockSupport.unpark(thread);
    }

    private void lead(BooleanSupplier done, long deadline) {
        var looks = 0;
        var idleSince = 0L;
        while (!done.getAsBoolean()) {
            if (step()) {
                looks = 0;
                continue;
            }
            looks++;
            if (looks % LOOKS_PER_CLOCK == 1 || strategy == IdleStrategy.WAIT) {
                var now = System.nanoTime();
                idleSince = looks == 1 ? now : idleSince;
                if (stopped || deadline != Long.MAX_VALUE && deadline - now <= 0) {
                    return;
                }
                if (hasIdledLongEnough(now - idleSince)) {
                    sleepAsLeader(done, deadline);
                }
            }
            Thread.onSpinWait();
        }
    }

    private boolean hasIdledLongEnough(long nanoseconds) {
        return switch (strategy) {
            case SPIN -> false;
            case SPIN_THEN_WAIT -> nanoseconds >= SPIN_NANOS;
            case WAIT -> true;
        };
    }

    /** One look at everything; whether there was something to do. */
    private boolean step() {
        var worked = errands.run() | commands.submitQueued();
        if (engine.progress()) {
            worked = true;
            commands.finishCompleted();
        }
        return worked;
    }

    /**
     * Sleeps until something arrives, or somebody queues something, or what is waited for is done.
     */
    private void sleepAsLeader(BooleanSupplier done, long deadline) {
        engine.requestNotification();
        leaderSleeps = true;
        try {
            if (!commands.isQueued() && !errands.isAsked() && !done.getAsBoolean() && !stopped) {
                var remaining = deadline == Long.MAX_VALUE ? LONGEST_SLEEP
                        : Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
                leaderPoll.await(
                        remaining.compareTo(LONGEST_SLEEP) < 0 ? remaining : LONGEST_SLEEP);
            }
        } finally {
            leaderSleeps = false;
            leaderEvent.drain();
            engine.clearNotification();
        }
    }

    /** The daemon thread's life, until {@link #stop}. */
    @Override
    public void run() {
        while (!stopped) {
            try {
                if (!hasWork()) {
                    watch();
                } else if (followers.isEmpty() && tryLead()) {
                    leadUntilQuiet();
                } else {
                    followers.wakeOne();
                    // Others lead, and wake this afterwards.
                    LockSupport.parkNanos(this, QUIET_NANOS);
                }
            } catch (RuntimeException | Error e) {
                LOGGER.log(System.Logger.Level.ERROR, "The progress engine's driver goes on after",
                        e);
            }
        }
    }

    private void leadUntilQuiet() {
        try {
            lead(() -> !hasWork() || !followers.isEmpty(), Long.MAX_VALUE);
        } finally {
            stepDown();
        }
    }

    /**
     * Waits for events of idle contexts, such as a worker that ends; anybody may lead meanwhile.
     */
    private void watch() {
        var seen = turns;
        LockSupport.parkNanos(this, QUIET_NANOS);
        if (turns != seen || hasWork() || !tryLead()) {
            return; // others are busy with the engine: they see what happens
        }
        try {
            while (step()) {
                continue;
            }
            engine.requestNotification();
            watching = true;
        } finally {
            stepDown();
        }
        if (!hasWork() && !stopped) {
            watchPoll.await(LONGEST_SLEEP);
        }
        watching = false;
        watchEvent.drain();
        if (tryLead()) {
            try {
                engine.clearNotification();
                while (step()) {
                    continue;
                }
            } finally {
                stepDown();
            }
        }
    }

    /** Has {@link #run} return, and everybody who waits. Any thread may ask. */
    void stop() {
        stopped = true;
        leaderEvent.signal();
        watchEvent.signal();
        while (followers.wakeOne()) {
            Thread.yield();
        }
        LockSupport.unpark(thread);
    }

    /** Takes the lead for good, for the teardown; waits until others have left. */
    void leadForGood() {
        while (!tryLead()) {
            leaderEvent.signal();
            LockSupport.parkNanos(this, 1_000_000);
        }
    }

    /** Gives the event descriptors back; nobody uses this driver any more. */
    void free() {
        leaderEvent.close();
        watchEvent.close();
    }
}

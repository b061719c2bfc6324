// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ProgressEngine;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The daemon thread of a driver: it leads when commands are in flight and nobody waits, gives way
 * as soon as somebody does, and when nothing is in flight watches the notification handle without
 * leading, so that anybody can lead at once.
 */
final class DriverThread {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom");
    private static final Duration LONGEST_WATCH = Duration.ofSeconds(1);
    private static final long QUIET_NANOS = 20_000_000; // until the watch begins again
    private static final long PATROL_NANOS = 500_000;
    private static final int LONGEST_PATROL = 40; // without seeing anybody

    private final ProgressEngine engine;
    private final EngineDriver driver;
    private final LeaderLoop loop;
    private final Followers followers;
    private final CommandDeadlines deadlines;
    private final EngineSleep watch;
    private final Thread thread = Thread.currentThread();
    private int fruitlessPatrols; // in a row
    private volatile boolean patrolling;
    private volatile boolean expected; // woken to see to what was submitted

    /** Of the calling thread, which has the engine now and will {@link #run} this. */
    DriverThread(ProgressEngine engine, EngineDriver driver, LeaderLoop loop,
            Followers followers, CommandDeadlines deadlines) {
        this.engine = engine;
        this.driver = driver;
        this.loop = loop;
        this.followers = followers;
        this.deadlines = deadlines;
        this.watch = new EngineSleep(engine);
    }

    /** The thread's life, until the driver is stopped. */
    void run() {
        while (!loop.isStopped()) {
            Thread.interrupted(); // by what depends on an answer: it is nothing to this thread
            try {
                noteWhoCame();
                if (patrolling) {
                    patrol();
                } else if (!driver.hasWork()) {
                    watch();
                } else if (followers.isEmpty() && driver.tryLead()) {
                    leadUntilQuiet();
                } else {
                    followers.wakeOne();
                    // Others lead, and wake this afterwards.
                    LockSupport.parkNanos(this, QUIET_NANOS);
                    deadlines.sweepIfDue(System.nanoTime());
                }
            } catch (RuntimeException | Error e) {
                LOGGER.log(System.Logger.Level.ERROR, "The progress engine's driver goes on after",
                        e);
            }
        }
    }

    /** Woken by somebody who submitted: others who see to it by now are likely to do so again. */
    private void noteWhoCame() {
        if (expected) {
            expected = false;
            patrolling = !driver.hasWork() || driver.isLed();
        }
    }

    /**
     * Those who submitted have come to wait for the answers themselves: this looks now and then
     * whether they still do, so that they need not wake it, which costs more than a command.
     */
    private void patrol() {
        var seen = driver.turns();
        LockSupport.parkNanos(this, PATROL_NANOS);
        deadlines.sweepIfDue(System.nanoTime());
        if (driver.turns() != seen) {
            fruitlessPatrols = 0;
        } else if (driver.hasWork() || ++fruitlessPatrols > LONGEST_PATROL) {
            fruitlessPatrols = 0;
            patrolling = false; // then it looks for work once more
        }
    }

    private void leadUntilQuiet() {
        try {
            loop.run(() -> !driver.hasWork() || !followers.isEmpty(), Long.MAX_VALUE, false,
                    true);
        } finally {
            driver.stepDown();
        }
    }

    /**
     * Waits for events of idle contexts, such as a worker that ends; anybody may lead meanwhile.
     */
    private void watch() {
        var seen = driver.turns();
        LockSupport.parkNanos(this, QUIET_NANOS);
        if (driver.turns() != seen || driver.hasWork() || !driver.tryLead()) {
            return; // others are busy with the engine: they see what happens
        }
        try {
            if (!loop.stepAll()) {
                return; // it does not lead any more
            }
            engine.requestNotification();
            watch.enter();
        } finally {
            driver.stepDown();
        }
        if (!driver.hasWork() && !loop.isStopped()) {
            watch.await(LONGEST_WATCH);
        }
        watch.leave();
        if (driver.tryLead()) {
            try {
                engine.clearNotification();
                loop.stepAll();
            } finally {
                driver.stepDown();
            }
        }
    }

    /**
     * Has this thread see to what was submitted, unless those who wait for it do. Any thread may
     * ask.
     */
    void expectWork() {
        if (!patrolling) {
            expected = true;
            wake();
        }
    }

    /** Whether this thread leads. */
    boolean leads(EngineLead lead) {
        return lead.isHeldBy(thread);
    }

    /** Has this thread look whether there is work. Any thread may ask. */
    void wake() {
        patrolling = false;
        watch.wake();
        LockSupport.unpark(thread);
    }

    /** Has this thread see that the driver is stopped. Any thread may ask. */
    void interruptSleep() {
        watch.interrupt();
        LockSupport.unpark(thread);
    }

    /** Gives the event descriptor back; nobody uses this any more. */
    void free() {
        watch.free();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** A thread of a plot; stands for {@link Thread} in the code that is explored. */
public final class Actor {

    private static final ExecutorService POOL =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    private final String name;
    private final Runnable part;
    private final boolean extra;
    private long id; // the same in each order: places are looked for by it
    private final Semaphore turn = new Semaphore(0);
    private boolean ended;
    private boolean interrupted;
    private boolean permit;
    private Waits waits;
    private int lastTurn;

    /** Whether what an actor sleeps for has come. */
    public interface Waits {

        /** Asked between steps. */
        boolean isOver();
    }

    /** An order ends when all have ended but those that are extra. */
    public Actor(String name, Runnable part, boolean extra) {
        this.name = name;
        this.part = part;
        this.extra = extra;
    }

    void start(long number) {
        id = number;
        var orders = Orders.current;
        POOL.execute(() -> {
            turn.acquireUninterruptibly();
            Throwable thrown = null;
            try {
                if (!orders.isOver()) {
                    part.run();
                }
            } catch (Throwable e) {
                thrown = orders.isOver(e) ? null : e;
            }
            ended = true;
            orders.ended(thrown);
        });
    }

    int lastTurn() {
        return lastTurn;
    }

    void go() {
        lastTurn = Orders.current.nextTurn();
        turn.release();
    }

    void await() {
        turn.acquireUninterruptibly();
    }

    @SuppressWarnings("unchecked")
    static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    boolean isReady() {
        return !ended && (waits == null || waits.isOver());
    }

    /** Whether it is through. */
    public boolean hasEnded() {
        return ended;
    }

    boolean isExtra() {
        return extra;
    }

    /** Sleeps until something has come. */
    public static void sleepUntil(Waits over) {
        var me = Orders.running();
        me.waits = over;
        Orders.pause();
        me.waits = null;
    }

    static void park() {
        Orders.step();
        var me = Orders.running();
        if (!me.permit && !me.interrupted) {
            sleepUntil(() -> me.permit || me.interrupted);
        }
        me.permit = false;
    }

    static void unpark(Actor actor) {
        Orders.step();
        if (actor != null) {
            actor.permit = true;
        }
    }

    /** Stands for {@link Thread#currentThread}. */
    public static Actor currentThread() {
        return Orders.running();
    }

    /** Stands for {@link Thread#interrupted}. */
    public static boolean interrupted() {
        Orders.step();
        var me = Orders.running();
        var was = me.interrupted;
        me.interrupted = false;
        return was;
    }

    /** Stands for {@link Thread#isInterrupted}. */
    public boolean isInterrupted() {
        Orders.step();
        return interrupted;
    }

    /** Stands for {@link Thread#interrupt}. */
    public void interrupt() {
        Orders.step();
        interrupted = true;
    }

    /** Stands for {@link Thread#isVirtual}. */
    public boolean isVirtual() {
        return false;
    }

    /** Stands for {@link Thread#threadId}. */
    public long threadId() {
        return id;
    }

    /** Stands for {@link Thread#onSpinWait}. */
    public static void onSpinWait() {
        Orders.spin();
    }

    /** Stands for {@link Thread#yield}. */
    public static void yield() {
        Orders.spin();
    }

    @Override
    public String toString() {
        return name + (ended ? " (ended)" : waits != null ? " (sleeps)" : "");
    }
}

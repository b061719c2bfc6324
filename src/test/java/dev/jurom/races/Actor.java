// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.concurrent.Semaphore;

/** A thread of a plot; stands for {@link Thread} in the code that is explored. */
public final class Actor extends Shared {

    private final String name;
    private final Runnable part;
    private final boolean extra;
    private long id; // the same in each order: places are looked for by it
    private final Semaphore turn = new Semaphore(0);
    private boolean ended;
    private boolean interrupted;
    private boolean permit;
    private boolean retrying;
    private Waits waits;
    private long history;
    private int made;
    private long writes;
    private long seenWrites; // of others, when it went round last
    private int ranLast; // the turn
    private int wentRound; // the turn

    /** Whether what an actor sleeps for has come. */
    public interface Waits {

        /** Asked between steps. */
        boolean isOver();
    }

    /** All must have ended in the end but those that are extra. */
    public Actor(String name, Runnable part, boolean extra) {
        this.name = name;
        this.part = part;
        this.extra = extra;
    }

    void start(long number) {
        id = number;
        var orders = Orders.current;
        Thread.ofVirtual().start(() -> {
            turn.acquireUninterruptibly();
            Throwable thrown = null;
            try {
                if (!orders.isOver()) {
                    part.run();
                }
            } catch (Throwable e) {
                thrown = e;
            }
            ended = true;
            orders.ended(thrown);
        });
    }

    void go() {
        turn.release();
    }

    void await() {
        turn.acquireUninterruptibly();
    }

    boolean isReady() {
        return !ended && (waits == null || waits.isOver());
    }

    /** Whether it goes on when nobody else does, as time passes then. */
    boolean isRetrying() {
        return retrying;
    }

    /** Whether it is through. */
    public boolean hasEnded() {
        return ended;
    }

    boolean isExtra() {
        return extra;
    }

    long history() {
        return history;
    }

    void setHistory(long now) {
        history = now;
    }

    int nextMade() {
        return ++made;
    }

    void ran(int turn) {
        ranLast = turn;
    }

    void wrote() {
        writes++;
    }

    /** Whether others have written something since this was asked last. */
    private boolean seesNews(long allWrites) {
        var others = allWrites - writes;
        var news = others != seenWrites;
        seenWrites = others;
        return news;
    }

    /**
     * Lets others go on: first those who could have since this was done last, and did not. Comes
     * back when others have written, if it waits for that.
     */
    void letOthers(boolean forNews) {
        var orders = Orders.current;
        var before = wentRound;
        wentRound = orders.turns();
        var now = wentRound;
        var starved = orders.ready().stream()
                .filter(actor -> actor != this && before > 0 && actor.ranLast < before).toList();
        var seen = orders.writes();
        var news = !forNews || seesNews(seen);
        sleepUntil(() -> (news || orders.writes() != seen) && starved.stream()
                .noneMatch(actor -> actor.ranLast < now && actor.isReady()));
    }

    /** Sleeps until something has come. */
    public static void sleepUntil(Waits over) {
        var me = Orders.running();
        me.waits = over;
        Orders.pause();
        me.waits = null;
    }

    static void park(boolean shortly) {
        var me = Orders.running();
        me.read();
        if (!me.permit && !me.interrupted) {
            me.retrying = shortly;
            sleepUntil(() -> me.permit || me.interrupted);
            me.retrying = false;
        }
        Orders.note(me, true);
        me.permit = false;
    }

    static void unpark(Actor actor) {
        if (actor != null) {
            actor.writeIf(() -> !actor.permit);
            actor.permit = true;
        }
    }

    /** Stands for {@link Thread#currentThread}. */
    public static Actor currentThread() {
        return Orders.running();
    }

    /** Stands for {@link Thread#interrupted}. */
    public static boolean interrupted() {
        var me = Orders.running();
        me.writeIf(() -> me.interrupted);
        var was = me.interrupted;
        me.interrupted = false;
        return was;
    }

    /** Stands for {@link Thread#isInterrupted}. */
    public boolean isInterrupted() {
        read();
        return interrupted;
    }

    /** Stands for {@link Thread#interrupt}. */
    public void interrupt() {
        writeIf(() -> !interrupted);
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
        Orders.running().letOthers(true);
    }

    /** Stands for {@link Thread#yield}. */
    public static void yield() {
        Orders.running().letOthers(true);
    }

    @Override
    public String toString() {
        return name + (ended ? " (ended)" : waits != null ? " (sleeps)" : "");
    }
}

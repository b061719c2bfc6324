// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs a plot in all orders of its actors' steps, one actor at a time: a step is what happens
 * between two operations by which threads can see each other. Who sleeps or goes round in vain
 * lets any other go on; who could go on is interrupted a bounded number of times an order, before
 * any step at what actors have in common ({@link Conflicts}). All orders within that bound are
 * tried, depth first, each from the start, but for those that come to a state in which another has
 * been ({@link States}). Nobody's sleep ends because time passes, but of who only retries, when
 * all sleep: if all sleep otherwise, a wake-up was lost.
 */
public final class Orders {

    private static final int LONGEST = 3_000; // steps; more go round for ever

    /** Steps in a row: then it may wait for others without saying so. */
    private static final int FAIR = 120;

    static Orders current;

    private int bound; // of interruptions, in what is tried now
    private final Map<Integer, Integer> repeated; // what is taken where; null to try all
    private final States states = new States();
    private final Conflicts conflicts = new Conflicts();
    private final List<int[]> choices = new ArrayList<>(); // options, and which was taken
    private final Trace trace;
    private int made;
    private int points; // at which another actor could go on
    private int interruptions;
    private int steps;
    private int since; // steps of the running actor in a row
    private int turns;
    private long writes;
    private List<Actor> actors;
    private Woven woven;
    private String wrong;
    private boolean over;
    private boolean old; // what is left of this order was tried in another
    private Actor director;
    private Actor running;
    private long orders;
    private long allSteps;

    private Orders(Map<Integer, Integer> repeated, Trace trace) {
        this.repeated = repeated;
        this.trace = trace;
    }

    /**
     * What all orders of a plot came to: {@code allWith} so many interruptions were tried, none if
     * it is negative; {@code repeat} brings the wrong one back.
     */
    public record Outcome(long orders, long steps, int allWith, String wrong, String repeat) {
    }

    /** Sets a plot up: makes new actors, and gives them to {@code add}. */
    public interface Plot {

        /** Makes everything new. */
        Ending begin(Consumer<Actor> add);
    }

    /** What is left to do at the end of an order. */
    public interface Ending {

        /** Looks whether all is as it must be, if all has come to its end, and cleans up. */
        void end(boolean whole);
    }

    /** Runs all orders with so many interruptions, or as many as there is time for. */
    public static Outcome run(Plot plot, int bound, long nanos) {
        return new Orders(null, null).all(plot, bound, nanos);
    }

    /** Runs one order again, and says which steps it takes; nothing else if nothing is wrong. */
    public static Outcome repeat(Plot plot, String order) {
        var trace = new Trace();
        var outcome = new Orders(Trace.choices(order), trace).all(plot, 0, 0);
        System.out.print(trace);
        return outcome;
    }

    /** With few interruptions first, which show what the actors have in common. */
    private Outcome all(Plot plot, int most, long nanos) {
        current = this;
        var last = System.nanoTime() + nanos;
        var whole = true;
        for (bound = 0; bound <= most && whole && wrong == null; bound++) {
            do {
                states.clear();
                whole = tryAll(plot, last);
            } while (whole && repeated == null && wrong == null && conflicts.haveGrown());
        }
        current = null;
        return new Outcome(orders, allSteps, whole ? most : bound - 2, wrong,
                wrong == null ? null : Trace.order(choices));
    }

    private boolean tryAll(Plot plot, long last) {
        do {
            runOne(plot);
        } while (wrong == null && advance() && System.nanoTime() - last < 0);
        return choices.isEmpty();
    }

    private void runOne(Plot plot) {
        made = 0;
        points = 0;
        interruptions = 0;
        steps = 0;
        turns = 0;
        writes = 0;
        over = true; // no steps while it is set up
        old = false;
        woven = new Woven();
        states.begin();
        actors = new ArrayList<>();
        director = null;
        director = new Actor("director", () -> { }, true);
        running = director;
        var end = plot.begin(actors::add);
        over = false;
        for (var i = 0; i < actors.size(); i++) {
            actors.get(i).start(i);
        }
        var first = choose(ready());
        if (first != null) {
            hand(first);
        }
        over = true;
        for (var actor : actors) {
            if (!actor.hasEnded()) {
                hand(actor);
            }
        }
        orders++;
        allSteps += steps;
        try {
            end.end(wrong == null && !old);
        } catch (RuntimeException | Error e) {
            wrong = wrong == null ? e.toString() : wrong;
        }
    }

    private boolean advance() {
        while (!choices.isEmpty()) {
            var last = choices.getLast();
            if (++last[1] < last[0]) {
                return true;
            }
            choices.removeLast();
        }
        return false;
    }

    /** Which goes on; null if that was tried from the same state. */
    private Actor choose(List<Actor> options) {
        if (options.size() == 1) {
            return options.getFirst();
        }
        if (repeated != null) {
            return options.get(repeated.getOrDefault(points, 0));
        }
        if (made == choices.size()) {
            var place = running.threadId() << 1 | (options.getFirst() == running ? 1 : 0);
            if (states.isOld(place, bound - interruptions)) {
                old = true;
                return null;
            }
            choices.add(new int[] {options.size(), 0, points});
        }
        var choice = choices.get(made++);
        return options.get(choice[1]);
    }

    List<Actor> ready() {
        var ready = new ArrayList<Actor>();
        for (var actor : actors) {
            if (actor.isReady()) {
                ready.add(actor);
            }
        }
        return ready;
    }

    static Actor running() {
        return current.running;
    }

    /** While a plot is set up: runs something as if an actor did. */
    public static void as(Actor actor, Runnable action) {
        current.running = actor;
        action.run();
        current.running = current.director;
    }

    static Woven woven() {
        return current.woven;
    }

    /** What the running actor makes is known by that; what is made at first, by its number. */
    static long nextId() {
        var orders = current;
        if (orders == null || orders.director == null) {
            return 0;
        }
        var maker = orders.over ? orders.director : orders.running;
        return States.mix(maker == orders.director ? -1 : maker.threadId(), maker.nextMade());
    }

    private boolean isIdle() {
        return over || running == director;
    }

    /** The running actor is about to do what others can see. */
    static void step(Shared what, boolean writes) {
        interrupt(what);
        note(what, writes);
    }

    /** Before the running actor does that, others may go on. */
    static void interrupt(Shared what) {
        var orders = current;
        if (orders == null || orders.isIdle()) {
            return;
        }
        orders.count();
        orders.points++;
        if (++orders.since > FAIR) {
            orders.running.letOthers(false);
        } else if (orders.repeated != null
                || orders.interruptions < orders.bound && orders.conflicts.isAt(what)) {
            var me = orders.running;
            var options = orders.ready();
            options.remove(me);
            options.addFirst(me);
            var next = orders.choose(options);
            if (next != me) {
                orders.interruptions++;
                orders.hand(next == null ? orders.director : next);
            }
        }
    }

    /** Has the running actor's history go on, when it has come to where it acts. */
    static void note(Shared what, boolean writes) {
        var orders = current;
        if (orders.isIdle()) {
            return;
        }
        orders.states.note(orders.running, what, writes);
        orders.conflicts.note(orders.running, what, writes);
        if (writes) {
            orders.writes++;
            orders.running.wrote();
        }
        if (orders.trace != null) {
            orders.trace.add(orders.running, what, writes);
        }
    }

    int turns() {
        return turns;
    }

    long writes() {
        return writes;
    }

    private void count() {
        if (++steps > LONGEST) {
            fail("somebody goes round for ever");
        }
    }

    /** The running actor sleeps until it is ready: another goes on, or it does. */
    static void pause() {
        var orders = current;
        if (orders.over && orders.running != orders.director) {
            Orders.<RuntimeException>sneak(new Over());
        }
        orders.count();
        var next = orders.afterMe();
        if (next != orders.running) {
            orders.hand(next);
        }
    }

    /** Who goes on when the running actor does not; the director if the order is at its end. */
    private Actor afterMe() {
        points++;
        var ready = ready();
        if (ready.size() > 1) {
            ready.remove(running);
        }
        if (ready.isEmpty() && !areAllDone()) {
            actors.stream().filter(Actor::isRetrying).forEach(ready::add);
        }
        if (ready.isEmpty()) {
            wrong = wrong != null || areAllDone() ? wrong : "all sleep: " + actors;
            return director;
        }
        var next = choose(ready);
        return next == null ? director : next;
    }

    private boolean areAllDone() {
        return actors.stream().allMatch(actor -> actor.isExtra() || actor.hasEnded());
    }

    /** The running actor has ended. */
    void ended(Throwable thrown) {
        if (thrown != null && !(thrown instanceof Over) && wrong == null) {
            wrong = running + ": " + thrown;
        }
        pass(over || wrong != null ? director : afterMe());
    }

    /** What does not hold is wrong, whoever catches what. */
    public static void require(boolean holds, String what) {
        if (!holds) {
            var orders = current;
            if (orders.isIdle()) {
                throw new AssertionError(what);
            }
            orders.fail(orders.running + ": " + what);
        }
    }

    private void fail(String what) {
        wrong = what;
        hand(director);
    }

    /** Lets another actor go on instead of the running one, until that is to go on. */
    private void hand(Actor next) {
        var me = running;
        pass(next);
        me.await();
        if (over && me != director) {
            Orders.<RuntimeException>sneak(new Over());
        }
    }

    private void pass(Actor next) {
        running = next;
        since = 0;
        next.ran(++turns);
        next.go();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /** Ends an actor when the order is over; nobody catches it. */
    private static final class Over extends Exception {

        private static final long serialVersionUID = 1;

        Over() {
            super(null, null, false, false);
        }
    }

    boolean isOver() {
        return over;
    }
}

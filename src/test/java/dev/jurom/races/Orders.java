// SPDX-License-Identifier: Apache-2.0
package dev.jurom.races;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a plot in all orders of its actors' steps, one actor at a time: a step is what happens
 * between two operations by which threads can see each other. An actor that could go on is
 * interrupted a bounded number of times an order. All orders within that bound are tried, depth
 * first, each from the start. Nobody's sleep ends because time passes: if all sleep, a wake-up was
 * lost.
 */
public final class Orders {

    private static final int LONGEST = 20_000; // steps; more go round for ever

    /** Steps in a row: then it waits for others without saying so. */
    private static final int FAIR = 400;

    static Orders current;

    private final int bound;
    private final List<int[]> choices = new ArrayList<>(); // options, and which was taken
    private int made;
    private int interruptions;
    private int steps;
    private int turns;
    private int since; // steps of the running actor in a row
    private List<Actor> actors;
    private String wrong;
    private boolean over;
    private Actor running;
    private final Actor director = new Actor("director", () -> { }, true);
    private long orders;
    private long allSteps;

    private Orders(int bound) {
        this.bound = bound;
    }

    /** What all orders of a plot came to. */
    public record Outcome(long orders, long steps, boolean all, String wrong) {
    }

    /** Sets a plot up: makes new actors, and gives them to {@code add}. */
    public interface Plot {

        /** Makes everything new; what it returns checks at the end. */
        Runnable begin(Consumer<Actor> add);
    }

    /** Runs all orders with so many interruptions, or as many as there is time for. */
    public static Outcome run(Plot plot, int bound, long nanos) {
        var explorer = new Orders(bound);
        current = explorer;
        var last = System.nanoTime() + nanos;
        var more = true;
        while (more && explorer.wrong == null && System.nanoTime() - last < 0) {
            explorer.runOne(plot);
            more = explorer.advance();
        }
        return new Outcome(explorer.orders, explorer.allSteps, !more, explorer.wrong);
    }

    private void runOne(Plot plot) {
        made = 0;
        interruptions = 0;
        steps = 0;
        turns = 0;
        over = false;
        actors = new ArrayList<>();
        running = director;
        var end = plot.begin(actors::add);
        for (var i = 0; i < actors.size(); i++) {
            actors.get(i).start(i);
        }
        hand(choose(ready()));
        over = true;
        for (var actor : actors) {
            if (!actor.hasEnded()) {
                hand(actor);
            }
        }
        orders++;
        allSteps += steps;
        if (wrong == null) {
            try {
                end.run();
            } catch (RuntimeException | Error e) {
                wrong = e.toString();
            }
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

    private <T> T choose(List<T> options) {
        if (options.size() == 1) {
            return options.getFirst();
        }
        if (made == choices.size()) {
            choices.add(new int[] {options.size(), 0});
        }
        return options.get(choices.get(made++)[1]);
    }

    private List<Actor> ready() {
        return actors.stream().filter(Actor::isReady).toList();
    }

    static Actor running() {
        return current.running;
    }

    /** While a plot is set up: runs something as if an actor did. */
    public static void as(Actor actor, Runnable action) {
        current.running = actor;
        current.over = true; // no steps
        action.run();
        current.over = false;
        current.running = current.director;
    }

    /** The running actor is about to do what others can see. */
    public static void step() {
        var orders = current;
        if (orders == null || orders.running == orders.director || orders.over) {
            return;
        }
        if (++orders.steps > LONGEST) {
            orders.fail("somebody goes round for ever");
        }
        if (++orders.since > FAIR) {
            spin();
        } else if (orders.interruptions < orders.bound) {
            var me = orders.running;
            var options = new ArrayList<Actor>();
            options.add(me);
            orders.ready().stream().filter(actor -> actor != me).forEach(options::add);
            var next = orders.choose(options);
            if (next != me) {
                orders.interruptions++;
                orders.hand(next);
            }
        }
    }

    /** The running actor sleeps, or lets others go on. */
    static void pause() {
        var orders = current;
        if (orders.over || orders.running == orders.director) {
            return;
        }
        if (++orders.steps > LONGEST) {
            orders.fail("somebody goes round for ever");
        }
        var others = new ArrayList<>(orders.ready());
        var me = orders.running;
        if (others.size() > 1) {
            others.remove(me);
        }
        if (others.isEmpty()) {
            orders.fail("all sleep: " + orders.actors);
        }
        var next = orders.choose(others);
        if (next != me) {
            orders.hand(next);
        }
    }

    /** The running actor goes round until something has come: whoever waits longest goes on. */
    static void spin() {
        var orders = current;
        if (orders.over || orders.running == orders.director) {
            return;
        }
        if (++orders.steps > LONGEST) {
            orders.fail("somebody goes round for ever");
        }
        var me = orders.running;
        orders.ready().stream().filter(actor -> actor != me)
                .min(Comparator.comparingInt(Actor::lastTurn)).ifPresent(orders::hand);
    }

    int nextTurn() {
        return ++turns;
    }

    /** The running actor has ended. */
    void ended(Throwable thrown) {
        if (thrown != null && wrong == null) {
            wrong = running + ": " + thrown;
        }
        var ready = ready();
        var allDone = actors.stream().allMatch(actor -> actor.isExtra() || actor.hasEnded());
        if (over || wrong != null || allDone) {
            pass(director);
        } else if (ready.isEmpty()) {
            wrong = "all sleep: " + actors;
            pass(director);
        } else {
            pass(choose(ready));
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
            Actor.sneak(new Over());
        }
    }

    private void pass(Actor next) {
        running = next;
        since = 0;
        next.go();
    }

    /** Ends an actor when the order is over; nobody catches it. */
    private static final class Over extends Exception {

        private static final long serialVersionUID = 1;
    }

    boolean isOver() {
        return over;
    }

    boolean isOver(Throwable thrown) {
        return thrown instanceof Over;
    }
}

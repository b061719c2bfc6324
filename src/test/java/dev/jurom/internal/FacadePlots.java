// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.races.Orders.require;

import dev.jurom.races.Actor;
import dev.jurom.races.Orders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Plots of the facade's parts: loaded with what they explore, in place of the JDK's threads. */
public final class FacadePlots implements BiFunction<String, int[], Object[]> {

    /** Loaded where all orders are tried. */
    public FacadePlots() {
    }

    /**
     * Runs a plot by its name, with so many interruptions and milliseconds at most; or, after "|",
     * one order of it, whose steps are printed.
     */
    @Override
    public Object[] apply(String name, int[] limits) {
        var words = name.split("\\|", -1);
        var outcome = words.length > 1 ? Orders.repeat(plot(words[0]), words[1])
                : Orders.run(plot(name), limits[0], limits[1] * 1_000_000L);
        return new Object[] {outcome.orders(), outcome.steps(), outcome.allWith(),
            outcome.wrong(), outcome.repeat()};
    }

    private static Orders.Plot plot(String name) {
        return switch (name) {
            case "queue" -> FacadePlots::queue;
            case "slots" -> FacadePlots::slots;
            case "waiting for a slot" -> FacadePlots::waitingForASlot;
            case "calls" -> add -> new CallPlot(add, 2, 2, 1)::end;
            case "calls on one slot" -> add -> new CallPlot(add, 2, 1, 1)::end;
            case "calls one after another" -> add -> new CallPlot(add, 1, 1, 2).swept()::end;
            case "interrupted calls" -> add -> new CallPlot(add, 1, 1, 2).interrupted()::end;
            case "calls that throw" -> add -> new CallPlot(add, 1, 1, 2).throwing()::end;
            case "submits" -> add -> new FuturePlot(add, 2).submits(2)::end;
            case "submits beside calls" -> add -> new FuturePlot(add, 2).submits(1).calls()::end;
            case "two join one" -> add -> new FuturePlot(add, 0).joined(2)::end;
            case "stepping down" -> add -> new FuturePlot(add, 1).steppingDown().calls()::end;
            case "stopping" -> add -> new FuturePlot(add, 0).stopped()::end;
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Two add two commands each, one takes until it has all: each once, in the order of adding. */
    private static Orders.Ending queue(Consumer<Actor> add) {
        var queue = new CommandQueue();
        var slots = Stage.slotsOf(new ExploredWorker(), null, 4);
        var taken = new ArrayList<Integer>();
        for (var adder = 0; adder < 2; adder++) {
            var first = 2 * adder;
            add.accept(new Actor("adder " + adder, () -> {
                queue.add(slots.get(first));
                queue.add(slots.get(first + 1));
            }, false));
        }
        add.accept(new Actor("taker", () -> {
            while (taken.size() < 4) {
                var slot = queue.takeAll();
                if (slot == null) {
                    Actor.onSpinWait();
                }
                for (; slot != null; slot = slot.next) {
                    taken.add(slot.place);
                    require(taken.size() <= 4, "a command was taken twice");
                }
            }
        }, false));
        return whole -> {
            if (!whole) {
                return;
            }
            require(new HashSet<>(taken).size() == 4, "a command was taken twice: " + taken);
            require(taken.indexOf(0) < taken.indexOf(1) && taken.indexOf(2) < taken.indexOf(3),
                    "not in the order of adding: " + taken);
            require(queue.isEmpty(), "something is left");
        };
    }

    /** Three take and give; nobody has what another has, and all come back. */
    private static Orders.Ending slots(Consumer<Actor> add) {
        var free = new FreeSlots(Stage.slotsOf(new ExploredWorker(), null, 3));
        var held = new HashSet<CommandSlot>();
        for (var i = 0; i < 3; i++) {
            var two = i < 2;
            add.accept(new Actor("taker " + i, () -> {
                var one = hold(free, held);
                var other = two ? hold(free, held) : null;
                give(free, held, one);
                give(free, held, other);
            }, false));
        }
        return whole -> {
            for (var i = 0; whole && i < 3; i++) {
                require(hold(free, held) != null, "a slot is lost");
            }
            require(!whole || free.tryTake() == null, "a slot was given twice");
        };
    }

    private static CommandSlot hold(FreeSlots free, HashSet<CommandSlot> held) {
        var slot = free.tryTake();
        require(slot == null || held.add(slot), "two have one slot");
        return slot;
    }

    private static void give(FreeSlots free, HashSet<CommandSlot> held, CommandSlot slot) {
        if (slot != null) {
            held.remove(slot);
            free.give(slot);
        }
    }

    /** Three on one slot: who waits is told. */
    private static Orders.Ending waitingForASlot(Consumer<Actor> add) {
        var free = new FreeSlots(Stage.slotsOf(new ExploredWorker(), null, 1));
        var held = new HashSet<CommandSlot>();
        for (var i = 0; i < 3; i++) {
            add.accept(new Actor("waiter " + i, () -> {
                try {
                    var slot = free.take(1);
                    require(held.add(slot), "two have one slot");
                    give(free, held, slot);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }, false));
        }
        return whole -> require(!whole || free.tryTake() != null && free.tryTake() == null,
                "a slot is lost");
    }
}

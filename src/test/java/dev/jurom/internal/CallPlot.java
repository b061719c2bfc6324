// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.internal.FacadePlots.require;

import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.Offload;
import dev.jurom.races.Actor;
import dev.jurom.races.Native;
import dev.jurom.races.Orders;
import dev.jurom.urom.CommandTask;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Callers of one worker, on a driver as it is: the driver's thread, a worker that answers, perhaps
 * somebody who interrupts, or a sweep. In the end all slots are free, each once.
 */
final class CallPlot {

    private static final Offload<Long, Long> ECHO = Offload.of("echo", 1,
            (value, payload) -> {
                payload.set(ValueLayout.JAVA_LONG, 0, value);
                return Long.BYTES;
            },
            response -> response.get(ValueLayout.JAVA_LONG, 0));

    private final Consumer<Actor> add;
    private final List<Actor> callers = new ArrayList<>();
    private final ExploredWorker worker = new ExploredWorker();
    private final int slots;
    private final int calls;
    private EngineDriver driver;
    private int ended;
    private boolean isSwept;

    CallPlot(Consumer<Actor> add, int count, int slots, int calls) {
        this.add = add;
        this.slots = slots;
        this.calls = calls;
        var thread = new Actor("driver", () -> driver.run(), true);
        var engine = new Native.Engine(thread);
        Orders.as(thread, () -> driver = new EngineDriver((ProgressEngine) (Object) engine, 0,
                (CommandDeadlines) (Object) new ExploredDeadlines()));
        worker.slots = new FreeSlots(slotsOf(worker, driver, slots));
        for (var i = 0; i < count; i++) {
            var first = 100L * i;
            var caller = new Actor("caller " + i, () -> callAll(first), false);
            callers.add(caller);
            add.accept(caller);
        }
        add.accept(thread);
        add.accept(new Actor("worker", engine::answerAll, true));
        add.accept(new Actor("collector", this::collect, false));
    }

    static List<CommandSlot> slotsOf(ExploredWorker worker, EngineDriver driver, int count) {
        var slots = new ArrayList<CommandSlot>();
        for (var i = 0; i < count; i++) {
            var task = new Native.Task();
            var slot = new CommandSlot((DrivenWorker) (Object) worker, driver,
                    (CommandTask) (Object) task, i);
            task.onCompletion(() -> driver.commands().completed(slot));
            slots.add(slot);
        }
        return slots;
    }

    /** Somebody interrupts the first caller at any time. */
    CallPlot interrupted() {
        add.accept(new Actor("interrupter", callers.getFirst()::interrupt, false));
        return this;
    }

    /** A sweep ends the call that it sees, as it does with those that are late. */
    CallPlot swept() {
        isSwept = true;
        add.accept(new Actor("sweep", () -> {
            var reply = worker.slots.get(0).expected();
            if (reply != null) {
                var turn = reply.turn();
                reply.fail(turn, new Swept(callOf(turn)));
            }
        }, false));
        return this;
    }

    /** Turns are counted by fours, from the second on. */
    private static long callOf(long turn) {
        return turn / 4 - 1;
    }

    private static final class Swept extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final long call;

        Swept(long call) {
            this.call = call;
        }
    }

    private void callAll(long first) {
        for (var i = 0; i < calls; i++) {
            try {
                var answer = call(first + i);
                require(answer == first + i, first + i + " was answered with " + answer);
            } catch (InterruptedException e) {
                break;
            } catch (Swept e) {
                require(isSwept && e.call <= i, "a sweep ended another call");
            }
        }
        ended++;
    }

    private long call(long value) throws InterruptedException {
        var slot = worker.slots.tryTake();
        while (slot == null) {
            slot = worker.slots.take(1);
        }
        slot.setKind(ECHO, 1);
        slot.length = ECHO.pack(value, slot.payload);
        slot.callReply.begin(null);
        slot.expect(slot.callReply);
        return (Long) slot.callReply.call(slot);
    }

    /** Takes all slots when nobody calls any more. */
    private void collect() {
        var taken = new HashSet<CommandSlot>();
        Actor.sleepUntil(() -> ended == callers.size());
        try {
            for (var i = 0; i < slots; i++) {
                var slot = worker.slots.take(1);
                require(taken.add(slot), "a slot was given twice");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        require(worker.slots.tryTake() == null, "a slot was given twice");
    }

    /** What is left to do at the end. */
    Runnable end() {
        return () -> driver.free();
    }
}

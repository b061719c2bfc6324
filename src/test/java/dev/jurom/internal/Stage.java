// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.races.Orders.require;

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
 * A driver as it is, with a thread of its own, and a worker that answers: what plots of calls and
 * futures begin with. In the end all slots are free, each once.
 */
class Stage {

    static final Offload<Long, Long> ECHO = Offload.of("echo", 1,
            (value, payload) -> {
                payload.set(ValueLayout.JAVA_LONG, 0, value);
                return Long.BYTES;
            },
            response -> response.get(ValueLayout.JAVA_LONG, 0));

    private final Consumer<Actor> add;
    final ExploredWorker worker = new ExploredWorker();
    EngineDriver driver;

    Stage(Consumer<Actor> add, int slots) {
        this.add = add;
        var thread = new Actor("driver", this::drive, true);
        var engine = new Native.Engine(thread);
        Orders.as(thread, () -> driver = new EngineDriver((ProgressEngine) (Object) engine, 0,
                (CommandDeadlines) (Object) new ExploredDeadlines()));
        worker.slots = new FreeSlots(slotsOf(worker, driver, slots));
        add.accept(thread);
        if (slots > 0) {
            add.accept(new Actor("worker", engine::answerAll, true));
        }
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

    /** The life of the driver's thread. */
    void drive() {
        driver.run();
    }

    /** Adds somebody who must come to an end. */
    Actor with(String name, Runnable part) {
        var actor = new Actor(name, part, false);
        add.accept(actor);
        return actor;
    }

    /** A slot with a command in it. */
    CommandSlot packed(Offload<Long, Long> offload, long value) throws InterruptedException {
        var slot = worker.slots.tryTake();
        while (slot == null) {
            slot = worker.slots.take(1);
        }
        slot.setKind(offload, 1);
        slot.length = offload.pack(value, slot.payload);
        return slot;
    }

    /** As {@link DrivenWorker#submit} does it. */
    DrivenFuture<Long> submit(long value) {
        try {
            var slot = packed(ECHO, value);
            var future = new DrivenFuture<Long>(driver, null);
            slot.expect(future);
            driver.submit(slot, null);
            return future;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** As {@link DrivenWorker#call} does it. */
    long call(Offload<Long, Long> offload, long value) throws InterruptedException {
        var slot = packed(offload, value);
        slot.callReply.begin(null);
        slot.expect(slot.callReply);
        return (Long) slot.callReply.call(slot);
    }

    /** What is left to do at the end. */
    void end(boolean whole) {
        if (whole) {
            requireAllSlots();
        }
        driver.free();
    }

    private void requireAllSlots() {
        var free = new HashSet<CommandSlot>();
        for (var slot = worker.slots.tryTake(); slot != null; slot = worker.slots.tryTake()) {
            require(free.add(slot), "a slot was given twice");
        }
        require(free.size() == worker.slots.size(), "a slot is lost");
    }
}

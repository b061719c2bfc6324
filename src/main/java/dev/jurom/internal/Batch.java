// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.internal.SlotStates.NONE;

import dev.jurom.core.internal.CommandEvent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one thread that are in flight at the same time, in the order of their answers. All memory is
 * allocated before the first slot is taken. Confined to one thread, which releases the batch at the end.
 */
public final class Batch {

    private static final int PART = 16; // commands that are submitted together

    private final Calls calls;
    private final CommandSlots slots;
    private final long worker;
    private final @Nullable Deadline deadline;
    private final int least; // commands of a part, unless fewer remain or the worker is slow: small parts cost more
    private final long[] tickets; // a ring; NONE: released, or left to the engine thread
    private final @Nullable ParkedCall[] parked; // commands that were left to the engine thread
    private final @Nullable CommandEvent[] events;
    private int first; // the oldest command in flight, of all commands
    private int submitted;
    private int taken;
    private boolean yields; // the thread, once no slot is held

    /**
     * Creates an empty batch.
     *
     * @param calls submits commands
     * @param slots the slots of the worker
     * @param worker the id of the worker
     * @param commands the number of commands
     * @param deadline the deadline of all commands; null for the call timeout, which each command has
     */
    public Batch(Calls calls, CommandSlots slots, long worker, int commands, @Nullable Deadline deadline) {
        var capacity = Math.min(slots.size(), commands);
        this.calls = calls;
        this.slots = slots;
        this.worker = worker;
        this.deadline = deadline;
        this.least = Math.min(PART, capacity / 2);
        this.tickets = new long[capacity];
        this.parked = new ParkedCall[capacity];
        this.events = new CommandEvent[capacity];
        Arrays.fill(tickets, NONE);
    }

    /**
     * Returns whether no command is in flight.
     *
     * @return true if a slot must be {@linkplain #add added} first
     */
    public boolean isEmpty() {
        return first == taken;
    }

    /**
     * Adds a slot.
     *
     * @param ticket a ticket of the current thread, which this releases
     */
    public void add(long ticket) {
        tickets[taken++ % tickets.length] = ticket;
    }

    /**
     * Takes free slots for the next part. Blocks for a few microseconds at most.
     *
     * @param commands the number of commands that are not submitted
     * @return the number of slots of the part, to be packed
     */
    public int take(int commands) {
        var room = tickets.length - (submitted - first);
        var waits = room > 0 && room < Math.min(least, commands) && isDoneSoon(tickets[first % tickets.length]);
        var most = waits ? 0 : Math.min(Math.min(PART, commands), room);
        for (var more = taken - submitted < most; more; ) {
            var ticket = slots.tryTake();
            if (ticket != NONE) {
                add(ticket);
            }
            more = ticket != NONE && taken - submitted < most;
        }
        return taken - submitted;
    }

    /**
     * Returns whether a command is done, for which this waits for a few microseconds. Drives for all commands of its part
     * meanwhile, since that is one native call.
     */
    private boolean isDoneSoon(long ticket) {
        return ticket != NONE
                && (slots.isDone(ticket) || calls.driveBriefly(slots.slot(ticket), deadline) || slots.isDone(ticket));
    }

    /**
     * Returns a slot of the next part.
     *
     * @param index the position in the part
     * @return the slot
     */
    public CommandSlot slot(int index) {
        return slots.slot(tickets[(submitted + index) % tickets.length]);
    }

    /** Submits the next part, which is packed. Never blocks. */
    public void submit() {
        for (var i = submitted; i < taken; i++) {
            var slot = slots.slot(tickets[i % tickets.length]);
            events[i % tickets.length] = CommandEvent.begin(worker, slot.plugin(), slot.length());
            slot.setDeadline(deadline);
            if (i + 1 < taken) {
                slot.link(slots.slot(tickets[(i + 1) % tickets.length]));
            }
        }
        var begun = slot(0);
        submitted = taken;
        calls.begin(begun);
    }

    /**
     * Waits for the oldest command.
     *
     * @return its slot; null if it was left to the engine thread
     * @throws dev.jurom.core.DocaException with {@code TIME_OUT} if it is not done in time
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public @Nullable CommandSlot await() throws InterruptedException {
        var index = first % tickets.length;
        if (parked[index] == null
                && !slots.isDone(tickets[index])
                && !calls.drive(slots.slot(tickets[index]), deadline)) {
            leaveAll();
        }
        return parked[index] == null ? slots.slot(tickets[index]) : null;
    }

    /**
     * Leaves all commands that are not done to the engine thread, because the current virtual thread is about to sleep.
     */
    private void leaveAll() {
        for (var i = first; i < submitted; i++) {
            var index = i % tickets.length;
            if (parked[index] == null && !slots.isDone(tickets[index])) {
                parked[index] = calls.leave(slots.slot(tickets[index]));
                if (parked[index] != null) {
                    tickets[index] = NONE;
                }
            }
        }
    }

    /**
     * Waits for the oldest command, which was left to the engine thread.
     *
     * @return its outcome
     * @throws dev.jurom.core.DocaException with {@code TIME_OUT} if it is not done in time
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public CommandEnd awaitParked() throws InterruptedException {
        return calls.await(parked[first % tickets.length], deadline);
    }

    /** Removes the oldest command, which is answered, and releases its slot. */
    public void remove() {
        var index = first++ % tickets.length;
        var ticket = tickets[index];
        try {
            record(index);
        } finally {
            if (ticket != NONE) {
                slots.release(ticket);
                yields |= CommandSlots.isYieldDue(ticket);
            }
            parked[index] = null;
            tickets[index] = NONE;
        }
    }

    private void record(int index) {
        var event = events[index];
        if (event != null) {
            var parkedCall = parked[index];
            events[index] = null;
            if (parkedCall != null) {
                var end = parkedCall.resultNow();
                event.end(end.error().name(), end.response().byteSize());
            } else {
                slots.slot(tickets[index]).record(event, true);
            }
        }
    }

    /** Releases the slots of the next part, which is not submitted. */
    public void drop() {
        while (taken > submitted) {
            var index = --taken % tickets.length;
            var ticket = tickets[index];
            tickets[index] = NONE;
            slots.release(ticket);
        }
    }

    /** Releases the slots of all commands, each as soon as it is done. */
    public void release() {
        Throwable failure = null;
        while (first < taken) {
            var index = first++ % tickets.length;
            try {
                if (parked[index] != null) {
                    parked[index].cancel(false);
                } else if (tickets[index] != NONE) {
                    slots.release(tickets[index]);
                }
                if (events[index] != null) {
                    events[index].end(CommandEvent.ABANDONED, 0);
                }
            } catch (RuntimeException | Error e) { // this slot is lost, and the others are released
                failure = e;
            }
        }
        if (yields) {
            Thread.yield();
        }
        switch (failure) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> {}
        }
    }
}

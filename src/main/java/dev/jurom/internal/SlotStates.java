// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.core.internal.SharedEngine.CLOSED;
import static dev.jurom.core.internal.SharedEngine.DELIVER;
import static dev.jurom.core.internal.SharedEngine.FREE;
import static dev.jurom.core.internal.SharedEngine.OWNED;
import static dev.jurom.core.internal.SharedEngine.PENDING;
import static dev.jurom.core.internal.SharedEngine.RESERVED;

import dev.jurom.core.internal.SharedEngine;
import java.util.List;

/**
 * The states of a worker's slots, one word each: a phase in the low half, and in the high half the
 * generation, which counts the uses of the slot. A thread that takes a slot receives a ticket, which
 * consists of the generation and the index of the slot. All steps compare the generation, so a ticket
 * has no effect once its slot was released. Thread-safe.
 *
 * <p>C changes the phases of commands in flight; {@code jurom_command_steps} lists these and those steps.
 */
abstract class SlotStates {

    /** No ticket. */
    static final long NONE = -1;

    /** A step from one phase to another, with its increment of the generation. */
    record Step(int from, int to, int generations) {}

    private static final Step TAKE = new Step(FREE, OWNED, 0);
    private static final Step CLAIM = new Step(RESERVED, OWNED, 0);
    private static final Step REVOKE = new Step(RESERVED, FREE, 0);
    private static final Step RELEASE = new Step(OWNED, FREE, 1);
    private static final Step RELEASE_RESERVED = new Step(OWNED, RESERVED, 1);
    private static final Step RECEIVE = new Step(DELIVER, FREE, 1);
    private static final Step RECEIVE_RESERVED = new Step(DELIVER, RESERVED, 1);
    private static final Step CLOSE = new Step(FREE, CLOSED, 1);
    private static final Step CLOSE_OWNED = new Step(OWNED, CLOSED, 1);

    /** All steps. */
    static final List<Step> STEPS =
            List.of(TAKE, CLAIM, REVOKE, RELEASE, RELEASE_RESERVED, RECEIVE, RECEIVE_RESERVED, CLOSE, CLOSE_OWNED);

    private static final long GENERATION = 1L << Integer.SIZE;
    private static final long PHASE = GENERATION - 1;

    /** The states in the commands of the library. */
    static final class OfCommands extends SlotStates {

        private final long[] commands;

        OfCommands(long[] commands) {
            this.commands = commands;
        }

        @Override
        long get(int slot) {
            return SharedEngine.state(commands[slot]);
        }

        @Override
        boolean compareAndSet(int slot, long expected, long next) {
            return SharedEngine.compareAndSetState(commands[slot], expected, next);
        }
    }

    /** Returns the state of a slot. */
    abstract long get(int slot);

    /** Changes the state of a slot if it is as expected. */
    abstract boolean compareAndSet(int slot, long expected, long next);

    /** Returns the index of the slot of a ticket. */
    static int slot(long ticket) {
        return (int) ticket;
    }

    /** Returns the number of uses of a slot before that of a ticket. */
    static int generation(long ticket) {
        return (int) (ticket >>> Integer.SIZE);
    }

    private static long ticket(long state, int slot) {
        return state & ~PHASE | slot;
    }

    /** Returns the ticket of the next use of a slot. */
    private static long next(long ticket) {
        return ticket + GENERATION;
    }

    private boolean step(long ticket, Step step) {
        var generation = ticket & ~PHASE;
        return compareAndSet(
                slot(ticket), generation | step.from, generation + step.generations * GENERATION | step.to);
    }

    /** Returns the current ticket of a slot. */
    long current(int slot) {
        return ticket(get(slot), slot);
    }

    boolean isFree(int slot) {
        return (get(slot) & PHASE) == FREE;
    }

    boolean isClosed(int slot) {
        return (get(slot) & PHASE) == CLOSED;
    }

    /** Returns whether the slot of a ticket is owned. */
    boolean isOwned(long ticket) {
        return ticket != NONE && get(slot(ticket)) == (ticket & ~PHASE | OWNED);
    }

    /** Returns whether the command of a ticket is queued or in flight and not left to the engine thread. */
    boolean isPending(long ticket) {
        if (ticket == NONE) {
            return false;
        }
        var state = get(slot(ticket));
        return (state & ~PHASE) == (ticket & ~PHASE) && (state & (PENDING | DELIVER)) == PENDING;
    }

    /** Returns the ticket of the command that is queued or in flight in a slot; {@link #NONE} if there is none. */
    long pending(int slot) {
        var state = get(slot);
        return (state & PENDING) != 0 ? ticket(state, slot) : NONE;
    }

    /** Returns whether the engine thread has to receive the command of a ticket, which is done or not. */
    boolean isLeft(long ticket) {
        var state = get(slot(ticket));
        return (state & ~PHASE) == (ticket & ~PHASE) && (state & DELIVER) != 0;
    }

    /** Returns whether the engine thread has to receive the command of a ticket, which is done. */
    boolean isDelivered(long ticket) {
        return ticket != NONE && get(slot(ticket)) == (ticket & ~PHASE | DELIVER);
    }

    /** Takes a slot. Returns its ticket, or {@link #NONE} if it is not free. */
    long tryTake(int slot) {
        var state = get(slot);
        var ticket = ticket(state, slot);
        return (state & PHASE) == FREE && step(ticket, TAKE) ? ticket : NONE;
    }

    /** Takes a slot that is reserved for the current thread. */
    boolean claim(long ticket) {
        return step(ticket, CLAIM);
    }

    /** Frees a slot that is reserved for another thread. */
    boolean revoke(long ticket) {
        return step(ticket, REVOKE);
    }

    /** Frees a slot after its command; for its owner, or the engine thread if that received the command. */
    boolean release(long ticket, boolean received) {
        return step(ticket, received ? RECEIVE : RELEASE);
    }

    /** Frees a slot for one thread. Returns the ticket for that thread, or {@link #NONE} on a mismatch. */
    long reserve(long ticket, boolean received) {
        return step(ticket, received ? RECEIVE_RESERVED : RELEASE_RESERVED) ? next(ticket) : NONE;
    }

    /** Ends the use of a free slot. */
    boolean close(long ticket) {
        return step(ticket, CLOSE);
    }

    /** Ends the use of a slot whose owner does not use it again. */
    boolean closeOwned(long ticket) {
        return step(ticket, CLOSE_OWNED);
    }
}

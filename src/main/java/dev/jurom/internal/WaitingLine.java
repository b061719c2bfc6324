// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.internal.SlotStates.NONE;

import dev.jurom.plugin.Offload;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The threads and queued commands that wait for a slot, in order of arrival. A linked list, since its removals
 * must not allocate. A thread that has held the lock serves the line afterwards, on behalf of threads that could
 * not acquire it.
 */
final class WaitingLine {

    private static final long LEFT = NONE - 1;

    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Waiter head; // written under the lock, as all links
    private @Nullable Waiter tail;
    private boolean ended; // guarded by lock

    /** An entry. */
    abstract static sealed class Waiter {

        private @Nullable Waiter previous;
        private @Nullable Waiter next;
        private boolean linked;

        /** Returns whether the wait has ended. */
        abstract boolean isOver();
    }

    /** The current thread, which waits for a slot. */
    static final class WaitingThread extends Waiter {

        private final Thread thread = Thread.currentThread();
        private final AtomicLong reservation = new AtomicLong(NONE); // a ticket, NONE or LEFT
        private volatile boolean polls;
        volatile boolean left; // set before other steps of the removal, so that a failure does not keep it in the line
        private long poll; // time of the last sleep in nanoseconds; confined to the thread

        @Override
        boolean isOver() {
            return left || reservation.get() == LEFT;
        }

        /** Wakes the thread unless it polls. */
        void wake() {
            if (!polls) {
                polls = true;
                LockSupport.unpark(thread);
            }
        }

        /** Returns the time to sleep. If the thread stops polling, the next release wakes it. */
        long nextPoll(long shortest, long longest, long otherwise) {
            poll = poll == 0 ? shortest : 2 * poll;
            if (polls && poll <= longest) {
                return poll;
            }
            poll = 0;
            polls = false;
            return otherwise;
        }

        /** Reserves a slot for the thread. Returns false if the thread no longer waits. */
        boolean reserve(long ticket) {
            var reserved = reservation.compareAndSet(NONE, ticket);
            LockSupport.unpark(thread);
            return reserved;
        }

        /** Returns the ticket that is reserved; {@link SlotStates#NONE} if there is none. */
        long reserved() {
            return reservation.get();
        }

        /** Clears a reservation that was used or revoked. */
        void clearReservation() {
            reservation.set(NONE);
        }

        /** Ends the wait. Returns a reservation that was not used. */
        long leave() {
            return reservation.getAndSet(LEFT);
        }
    }

    /** A packed command. */
    static final class QueuedCommand extends Waiter {

        final Receiver receiver;
        final int submitter; // stripe of the thread
        private final Offload<?, ?> kind;
        private final long plugin;
        private final Class<?> type;
        private final MemorySegment packed;
        private final @Nullable Deadline deadline; // for the worker to start it

        QueuedCommand(
                Receiver receiver,
                int submitter,
                Offload<?, ?> kind,
                long plugin,
                Class<?> type,
                MemorySegment packed,
                @Nullable Deadline deadline) {
            this.receiver = receiver;
            this.submitter = submitter;
            this.kind = kind;
            this.plugin = plugin;
            this.type = type;
            this.packed = packed;
            this.deadline = deadline;
        }

        @Override
        boolean isOver() {
            return receiver.isDone();
        }

        /** Copies the command into a slot. */
        void fill(CommandSlot slot) {
            slot.payload().asSlice(0, packed.byteSize()).copyFrom(packed);
            slot.setKind(kind, plugin);
            slot.prepare(packed.byteSize(), type);
            slot.setDeadline(deadline);
            slot.receiver = receiver;
        }
    }

    boolean isEmpty() {
        return head == null;
    }

    boolean isFirst(Waiter waiter) {
        return head == waiter;
    }

    boolean tryLock() {
        return lock.tryLock();
    }

    void unlock() {
        lock.unlock();
    }

    /** Returns the first waiter, whose wait may have ended. */
    @Nullable
    Waiter first() {
        return head;
    }

    /** Returns whether a waiter is in the line; with the lock. */
    boolean contains(Waiter waiter) {
        return waiter.linked;
    }

    /** Adds a waiter. Returns false after {@link #end}. */
    boolean add(Waiter waiter) {
        lock.lock();
        try {
            if (!ended) {
                waiter.previous = tail;
                waiter.linked = true;
                if (tail == null) {
                    head = waiter;
                } else {
                    tail.next = waiter;
                }
                tail = waiter;
            }
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    /** Removes a waiter if it is in the line; with the lock. Returns whether the first one changed. */
    boolean remove(Waiter waiter) {
        if (!waiter.linked) {
            return false;
        }
        var before = waiter.previous;
        var after = waiter.next;
        if (after == null) {
            tail = before;
        } else {
            after.previous = before;
        }
        waiter.previous = null;
        waiter.next = null;
        waiter.linked = false;
        if (before == null) {
            head = after;
        } else {
            before.next = after;
        }
        return before == null;
    }

    /** Wakes all waiting threads. */
    void wakeAll() {
        lock.lock();
        try {
            for (var waiter = head; waiter != null; waiter = waiter.next) {
                if (waiter instanceof WaitingThread waiting) {
                    waiting.wake();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Rejects waiters from now on. Removes and returns the queued commands. */
    List<QueuedCommand> end() {
        var commands = new ArrayList<QueuedCommand>();
        lock.lock();
        try {
            ended = true;
            for (var waiter = head; waiter != null; ) {
                var following = waiter.next;
                if (waiter instanceof QueuedCommand command) {
                    remove(command);
                    commands.add(command);
                }
                waiter = following;
            }
        } finally {
            lock.unlock();
        }
        return commands;
    }
}

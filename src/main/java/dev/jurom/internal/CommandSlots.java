// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.internal.SharedEngine;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a worker. A thread that finds none free waits in line, as does a command that was
 * submitted for later; a slot that becomes free goes to the first in line. Thread-safe.
 */
public final class CommandSlots {

    private static final long LONGEST_PARK = 100_000_000; // nanoseconds

    private final int worker; // the engine's number for these
    private final Object asked;
    private final CommandSlot[] slots;
    private final long[] commands;
    private final Arena arena = Arena.ofShared();
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Waiter> line = new ArrayDeque<>(); // guarded by lock
    private volatile int waiting; // size of the line
    private volatile boolean closed;
    private int hint; // a slot that was free lately; races are harmless
    private int takenForGood; // the engine thread's own
    private boolean ended; // guarded by lock: no slot becomes free any more

    /** A place in line: of a thread, or of a command that is submitted once there is a slot. */
    private static final class Waiter {

        final @Nullable Thread thread; // null: a command waits
        final @Nullable Consumer<CommandSlot> use; // null: a thread waits
        final @Nullable PendingAnswer<?> answer; // of the command
        volatile @Nullable CommandSlot slot;
        volatile boolean leaves;

        Waiter(@Nullable Thread thread, @Nullable Consumer<CommandSlot> use, @Nullable PendingAnswer<?> answer) {
            this.thread = thread;
            this.use = use;
            this.answer = answer;
        }

        boolean isOver() {
            return leaves || slot != null || answer != null && answer.isDone();
        }
    }

    /** Makes the slots of native commands; for the engine thread. */
    CommandSlots(int worker, long[] commands, Object asked) {
        this.worker = worker;
        this.commands = commands;
        this.asked = asked;
        this.slots = new CommandSlot[commands.length];
        for (var i = 0; i < commands.length; i++) {
            slots[i] = new CommandSlot(i, commands[i], arena);
            SharedEngine.setUser(commands[i], (long) worker << Integer.SIZE | i);
        }
    }

    int worker() {
        return worker;
    }

    /** Names the worker. */
    Object asked() {
        return asked;
    }

    long[] commands() {
        return commands;
    }

    /**
     * Returns how many commands can be in flight.
     *
     * @return the number of slots
     */
    public int size() {
        return slots.length;
    }

    /**
     * Returns the size of the largest command.
     *
     * @return bytes
     */
    public long maxCommandSize() {
        return slots[0].payload().byteSize();
    }

    CommandSlot get(int index) {
        return slots[index];
    }

    /**
     * Takes a free slot, unless others wait for one.
     *
     * @return the slot, to be released; null if there is none
     */
    public @Nullable CommandSlot tryTake() {
        return waiting == 0 ? tryTake(Thread.currentThread()) : null;
    }

    private @Nullable CommandSlot tryTake(Thread owner) {
        var start = hint;
        for (var i = 0; i < slots.length; i++) {
            var index = start + i & slots.length - 1;
            var slot = slots[index];
            if (slot.owner.get() == null && slot.owner.compareAndSet(null, owner)) {
                slot.takes++;
                hint = index + 1;
                return slot;
            }
        }
        return null;
    }

    /**
     * Waits for a slot, behind those that came before.
     *
     * @param nanoseconds how long at most
     * @return the slot, to be released; null if none became free in time or this is closed
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public @Nullable CommandSlot take(long nanoseconds) throws InterruptedException {
        var deadline = System.nanoTime() + nanoseconds;
        var waiter = new Waiter(Thread.currentThread(), null, null);
        var interrupted = false;
        var ended = false;
        try {
            enqueue(waiter);
            var remaining = nanoseconds;
            while (waiter.slot == null && !closed && !interrupted && remaining > 0) {
                LockSupport.parkNanos(this, Math.min(remaining, LONGEST_PARK));
                interrupted = Thread.interrupted();
                remaining = deadline - System.nanoTime();
            }
            ended = !interrupted;
        } finally {
            leave(waiter);
            if (!ended && waiter.slot != null) {
                give(waiter.slot);
            }
        }
        if (interrupted) {
            throw new InterruptedException();
        }
        return waiter.slot;
    }

    /** Queues a command, which is submitted by the thread that releases its slot. */
    void queue(PendingAnswer<?> answer, Consumer<CommandSlot> use) {
        enqueue(new Waiter(null, use, answer));
    }

    private void enqueue(Waiter waiter) {
        lock.lock();
        try {
            if (ended) {
                throw new IllegalStateException(asked + " is closed");
            }
            line.add(waiter);
            waiting = line.size(); // before the slots are examined: a slot is released before this is
        } finally {
            lock.unlock();
        }
        serve();
    }

    private void leave(Waiter waiter) {
        lock.lock();
        try {
            waiter.leaves = true;
            line.remove(waiter);
            waiting = line.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives free slots to those in line, in order of arrival. If the current thread fails, the engine
     * thread submits the command later.
     */
    void serve() {
        var served = waiting != 0 ? serveNext() : null;
        while (served != null) {
            var slot = served.slot;
            if (served.use == null) {
                LockSupport.unpark(served.thread);
            } else if (slot != null && slot.owner.get() == Thread.currentThread()) {
                served.use.accept(slot);
            }
            served = waiting != 0 ? serveNext() : null;
        }
    }

    /** The first in line, which has a slot now or needs none; null if there is no slot. */
    private @Nullable Waiter serveNext() {
        lock.lock();
        try {
            var first = line.peek();
            if (first == null) {
                return null;
            }
            if (!first.isOver()) {
                var slot = tryTake(first.thread != null ? first.thread : Thread.currentThread());
                if (slot == null) {
                    return null;
                }
                slot.later = first.use;
                first.slot = slot;
            }
            line.poll();
            waiting = line.size();
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Makes a slot free; for its owner. */
    void give(CommandSlot slot) {
        free(slot);
        served();
    }

    /** Makes a slot free; those in line have not been served. */
    void free(CommandSlot slot) {
        if (slot.pending != null) {
            slot.pending = null;
        }
        if (slot.later != null) {
            slot.later = null;
        }
        if (slot.parked.getPlain() != null) {
            slot.parked.setPlain(null);
        }
        hint = slot.index;
        slot.owner.setRelease(null);
    }

    /** Serves those in line after slots became free. */
    void served() {
        VarHandle.fullFence(); // those who wait add to the line, and examine the slots after that
        if (waiting != 0) {
            serve();
        }
    }

    /** Ends the waiting for a slot, now and later. */
    public void close() {
        closed = true;
        lock.lock();
        try {
            line.forEach(waiter -> LockSupport.unpark(waiter.thread));
        } finally {
            lock.unlock();
        }
    }

    /** Fails the commands in line whose time is past, and lets none wait for a slot that is free. */
    void forEachQueued(Consumer<PendingAnswer<?>> action) {
        serve();
        lock.lock();
        try {
            for (var waiter : line) {
                if (waiter.answer != null) {
                    action.accept(waiter.answer);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes the free slots for good; whether it has them all. For the engine thread, at the end. */
    boolean takeAllForGood(Thread engineThread) {
        for (var slot = tryTake(engineThread); slot != null; slot = tryTake(engineThread)) {
            slot.takenForGood = true;
            takenForGood++;
        }
        return takenForGood == slots.length;
    }

    /** Ends the views of the payloads and the line, whose commands the action fails. */
    void end(Consumer<PendingAnswer<?>> action) {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
        forEachQueued(action);
    }
}

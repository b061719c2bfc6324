// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import static dev.jurom.internal.SlotStates.NONE;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.CommandEvent;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.plugin.Offload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a worker, and the line of threads and queued commands that wait for one. Thread-safe.
 *
 * <p>A running thread may take a free slot although others wait, which saves a context switch per
 * command. Each such pass is counted; after {@value #MAX_PASSES} passes, or once the first waiting thread
 * has waited for a millisecond, the next slot is reserved for that thread. A queued command needs no
 * thread, so the thread that releases a slot submits it at once.
 */
public final class CommandSlots {

    private static final int MAX_PASSES = 256;
    private static final long MAX_PARK = 100_000_000; // nanoseconds
    private static final long MIN_POLL = 50_000;
    private static final long MAX_POLL = 800_000;
    private static final long RESERVATION = 1_000_000; // until another thread may revoke it
    private static final int SUBMITTERS = 64; // power of two
    private static final int WARM_UP_CALLS = 256;
    private static final int YIELD_PERIOD = 128; // uses of a slot, about 50 microseconds; power of two

    private final int number; // the engine's number for this worker
    private final long id;
    private final Object worker;
    private final Name command;
    private final SlotStates states;
    private final CommandSlot[] slots;
    private final long[] commands;
    private final Engine engine;
    private final Arena arena = Arena.ofShared();
    private final Queue<MemorySegment> scratch = new ConcurrentLinkedQueue<>(); // to pack queued commands
    private final CommandSlot.LeftCommands left = new LeftCommands();
    private final WaitingLine line = new WaitingLine();
    private final AtomicInteger passes = new AtomicInteger(); // of the first waiter
    private final AtomicInteger mismatches = new AtomicInteger();
    private final AtomicIntegerArray queued = new AtomicIntegerArray(SUBMITTERS); // commands, by thread
    private volatile long reserved = NONE; // ticket of the slot that was reserved last
    private volatile boolean closed;
    private int hint; // a slot that was free lately; races are harmless
    private int maxPasses = MAX_PASSES;
    private long maxPoll = MAX_POLL;

    /**
     * Creates the slots of native commands. Called on the engine thread.
     *
     * @param number the engine's number for the worker
     * @param id the id of the worker
     * @param commands the commands, a power of two
     * @param worker names the worker in messages
     * @param running names what the worker is executing
     * @param states the states of the commands
     * @param engine executes the commands
     */
    CommandSlots(
            int number, long id, long[] commands, Object worker, Object running, SlotStates states, Engine engine) {
        this.number = number;
        this.id = id;
        this.commands = commands;
        this.worker = worker;
        this.command = new Name(worker, running);
        this.states = states;
        this.engine = engine;
        this.slots = new CommandSlot[commands.length];
        for (var i = 0; i < commands.length; i++) {
            slots[i] = new CommandSlot(commands[i], arena, left);
            SharedEngine.setUser(commands[i], (long) number << Integer.SIZE | i);
        }
    }

    /** The engine of native commands. The engine thread receives the commands that are left. */
    interface Engine {

        /** Submits a command and leaves it. */
        void submit(long command);

        /** Cancels a command that is left, if its use, of which this is a state, is not over. */
        void cancel(long command, long state);

        /** Takes a command back that is left. Returns false if its use is over, or it is done. */
        boolean adopt(long command, long state);

        /** Drives until a command of the current thread is done. Returns false after this time. */
        boolean await(long command, long nanoseconds, boolean maySleep);
    }

    /** The commands that are left, and the slots in which they are. */
    private final class LeftCommands implements CommandSlot.LeftCommands {

        @Override
        public void cancel(long command, long state) {
            engine.cancel(command, state);
        }

        @Override
        public boolean await(CommandSlot slot, long state, long nanoseconds, boolean maySleep) {
            if (!engine.adopt(slot.command, state)) {
                return false;
            }
            var done = false;
            try {
                slot.owner = Thread.currentThread();
                done = drive(slot, nanoseconds, maySleep);
            } finally {
                if (!done) {
                    slot.owner = null;
                    done = !SharedEngine.leave(slot.command, false);
                }
                if (done) {
                    receive(slot);
                }
            }
            return done;
        }

        private boolean drive(CommandSlot slot, long nanoseconds, boolean maySleep) {
            var receiver = Objects.requireNonNull(slot.receiver);
            var begin = System.nanoTime();
            var remaining = nanoseconds;
            while (!engine.await(slot.command, Math.min(remaining, Receiver.Sent.UNINTERRUPTED), maySleep)) {
                remaining = nanoseconds - (System.nanoTime() - begin);
                if (!maySleep
                        || remaining <= 0
                        || receiver.isDone()
                        || Thread.currentThread().isInterrupted()) {
                    return false;
                }
            }
            return true;
        }

        private void receive(CommandSlot slot) {
            var receiver = Objects.requireNonNull(slot.receiver);
            var ticket = states.current((int) SharedEngine.user(slot.command));
            try {
                receiver.receive(slot, true);
            } catch (Throwable e) { // such as a lack of memory
                receiver.fail(e);
            }
            release(ticket);
        }
    }

    /** Disables polls, so that each release wakes the first waiting thread: for tests in which time does not pass. */
    void withoutPolls() {
        maxPoll = 0;
    }

    /** Sets the number of passes to 0, so that each release reserves the slot: for tests. */
    void reserveAlways() {
        maxPasses = 0;
    }

    int number() {
        return number;
    }

    /** Names a command, as of the time of the message. */
    private record Name(Object worker, Object running) {

        @Override
        public String toString() {
            return "a command to " + worker + running;
        }
    }

    /** Returns the name of a command for messages about its time-out. */
    Object command() {
        return command;
    }

    /**
     * Returns the name of the worker and its running callback, for messages about waiting for a slot.
     *
     * @return for example {@code worker 3, which has run worker_cmd of the plugin render for 17 s,}
     */
    public String occupied() {
        return worker + command.running.toString();
    }

    /** Returns the name of the worker for messages. */
    Object worker() {
        return worker;
    }

    long[] commands() {
        return commands;
    }

    /**
     * Returns the maximum number of commands in flight.
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
     * Returns the slot of a ticket.
     *
     * @param ticket a ticket of the calling thread
     * @return the slot
     */
    public CommandSlot slot(long ticket) {
        return slots[SlotStates.slot(ticket)];
    }

    /**
     * Takes a free slot. A thread does not pass its own queued commands.
     *
     * @return its ticket, to be released; {@link #none()} if there is none
     */
    public long tryTake() {
        if (line.isEmpty()) {
            return scan();
        }
        return hasQueued() ? NONE : pass();
    }

    /**
     * Returns the value that denotes no ticket.
     *
     * @return a value that no ticket has
     */
    public static long none() {
        return NONE;
    }

    private long scan() {
        var start = hint;
        for (var i = 0; i < slots.length; i++) {
            var index = start + i & slots.length - 1;
            var ticket = states.tryTake(index);
            if (ticket != NONE) {
                hint = index + 1;
                slots[index].owner = Thread.currentThread();
                return ticket;
            }
        }
        return NONE;
    }

    private boolean hasFree() {
        for (var i = 0; i < slots.length; i++) {
            if (states.isFree(i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Waits for a slot.
     *
     * @param nanoseconds the maximum time to wait
     * @return the ticket, to be released; {@link #none()} if no slot was free in time, or this is closed
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public long take(long nanoseconds) throws InterruptedException {
        var waiter = new WaitingLine.WaitingThread();
        var begun = System.nanoTime();
        var remaining = nanoseconds;
        var ticket = NONE;
        try {
            enqueue(waiter);
            while ((ticket = takeInLine(waiter)) == NONE && !closed && remaining > 0) {
                park(waiter, remaining, System.nanoTime() - begun);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                remaining = nanoseconds - (System.nanoTime() - begun);
            }
        } finally {
            waiter.left = true;
            leave(waiter);
        }
        return ticket;
    }

    /** Takes the slot that is reserved for the current thread, or any free one. */
    private long takeInLine(WaitingLine.WaitingThread waiter) {
        var mine = waiter.reserved();
        if (mine != NONE) {
            var slot = slot(mine);
            if (states.claim(mine)) {
                slot.owner = Thread.currentThread();
                waiter.clearReservation();
                reserved = NONE;
                return mine;
            }
            waiter.clearReservation();
        }
        if (line.isFirst(waiter)) {
            return scan();
        }
        return hasQueued() ? NONE : pass();
    }

    /** Returns whether commands that the current thread has submitted are queued. */
    private boolean hasQueued() {
        return queued.get(stripe(Thread.currentThread())) != 0; // or those of another thread of the stripe
    }

    /** Takes a free slot although others wait. */
    private long pass() {
        var ticket = scan();
        if (ticket != NONE) {
            passes.incrementAndGet();
        }
        return ticket;
    }

    /**
     * Sleeps until a slot may be free. The first in line polls for about a millisecond after it was woken, since
     * the next releases wake it again only after that. A slot that is reserved for another thread is freed if
     * that thread has not taken it within a millisecond.
     */
    private void park(WaitingLine.WaitingThread waiter, long remaining, long waited) {
        var reservation = reserved;
        var nanoseconds = Math.min(remaining, MAX_PARK);
        if (line.isFirst(waiter)) {
            if (waited >= RESERVATION) {
                passes.set(maxPasses);
            }
            nanoseconds = Math.min(nanoseconds, waiter.nextPoll(MIN_POLL, maxPoll, MAX_PARK));
            if (hasFree()) {
                return; // released before this thread could be woken
            }
        } else if (reservation != NONE) {
            nanoseconds = Math.min(nanoseconds, RESERVATION);
        }
        LockSupport.parkNanos(this, nanoseconds);
        if (reservation != NONE
                && reservation == reserved
                && reservation != waiter.reserved()
                && nanoseconds >= RESERVATION) {
            revoke(reservation);
        }
    }

    private void revoke(long reservation) {
        reserved = NONE;
        if (states.revoke(reservation)) {
            serve();
        }
    }

    /** Ends a wait, with or without a slot. Allocates nothing. */
    private void leave(WaitingLine.WaitingThread waiter) {
        var unused = waiter.leave();
        if (unused != NONE) {
            reserved = NONE;
            states.revoke(unused);
        }
        if (line.tryLock()) { // else its holder removes the waiter once it is the first
            try {
                remove(waiter);
            } finally {
                line.unlock();
            }
        }
        serve();
    }

    private void remove(WaitingLine.Waiter waiter) {
        if (line.remove(waiter)) {
            passes.set(0);
        }
    }

    /**
     * Queues a packed command, which is submitted by the thread that releases its slot.
     *
     * @param receiver receives the response
     * @param offload the kind of command
     * @param plugin the id of its plugin
     * @param type the type of the command, which names it in a failure
     * @param packed the packed command, which must not be changed afterwards
     * @param deadline the deadline for the worker to start it; null if there is none
     * @throws IllegalStateException if the worker is closed
     */
    void queue(
            Receiver receiver,
            Offload<?, ?> offload,
            long plugin,
            Class<?> type,
            MemorySegment packed,
            @Nullable Deadline deadline) {
        var stripe = stripe(Thread.currentThread());
        queued.incrementAndGet(stripe);
        try {
            enqueue(new WaitingLine.QueuedCommand(receiver, stripe, offload, plugin, type, packed, deadline));
        } catch (Throwable e) {
            queued.decrementAndGet(stripe);
            throw e;
        }
    }

    private static int stripe(Thread thread) {
        return (int) thread.threadId() & SUBMITTERS - 1;
    }

    private void enqueue(WaitingLine.Waiter waiter) {
        if (!line.add(waiter)) {
            throw new Closing.ClosedException(worker);
        }
        serve();
    }

    /**
     * Submits queued commands while there are free slots, or wakes the first waiting thread. Throws nothing. If
     * another thread holds the lock of the line, it calls this method afterwards.
     */
    private void serve() {
        while (!line.isEmpty() && hasFree() && line.tryLock()) {
            WaitingLine.@Nullable Waiter first = null;
            var ticket = NONE;
            try {
                first = firstInLine();
                if (first instanceof WaitingLine.QueuedCommand) {
                    ticket = scan();
                    if (ticket != NONE) {
                        remove(first);
                    }
                }
            } catch (Throwable e) {
                abandon(first, ticket, e);
                throw e;
            } finally {
                line.unlock();
            }
            if (first instanceof WaitingLine.WaitingThread waiting) {
                waiting.wake();
                return;
            }
            if (first instanceof WaitingLine.QueuedCommand command && ticket != NONE) {
                submit(command, ticket);
            }
        }
    }

    /** Frees a slot after a failure, and fails the command that was removed from the line for it. */
    private void abandon(WaitingLine.@Nullable Waiter first, long ticket, Throwable reason) {
        if (ticket != NONE) {
            states.release(ticket, false);
            if (first instanceof WaitingLine.QueuedCommand command && !line.contains(command)) {
                queued.decrementAndGet(command.submitter);
                command.receiver.fail(reason);
            }
        }
    }

    /** Removes waiters that have ended from the head of the line, whose lock the current thread holds. */
    private WaitingLine.@Nullable Waiter firstInLine() {
        var first = line.first();
        while (first != null && first.isOver()) {
            remove(first);
            if (first instanceof WaitingLine.QueuedCommand command) {
                queued.decrementAndGet(command.submitter);
            }
            first = line.first();
        }
        return first;
    }

    /** Submits a command that was queued. A failure affects only that command. */
    private void submit(WaitingLine.QueuedCommand command, long ticket) {
        var slot = slot(ticket);
        var submitted = false;
        Throwable failure = null;
        try {
            submitted = command.receiver.begin();
            if (submitted) {
                command.fill(slot);
                command.receiver.record(CommandEvent.begin(id, slot.plugin(), slot.length()));
                slot.owner = null;
                command.receiver.sent(slot);
                engine.submit(slot.command);
            }
        } catch (Throwable e) {
            submitted = false;
            failure = e;
        }
        queued.decrementAndGet(command.submitter);
        if (!submitted) {
            slot.clear();
            states.release(ticket, false);
        }
        if (failure != null) {
            command.receiver.fail(failure);
        } else if (submitted) {
            command.receiver.cancelIfOver(); // the slot is no longer this thread's
        }
    }

    /**
     * Releases a slot. If its command is pending, it is cancelled, and the engine thread releases the slot later.
     * Allocates nothing. If it fails twice, the slot is lost until the worker is closed.
     *
     * @param ticket a ticket of the calling thread
     * @throws DocaException with {@code UNEXPECTED} if the slot was used by another thread meanwhile: the
     *         response must not be used
     */
    public void release(long ticket) {
        var matches = false;
        try {
            matches = releaseOnce(ticket);
        } catch (Throwable e) {
            releaseAgain(ticket);
            throw e;
        }
        if (!matches) {
            mismatches.incrementAndGet();
            throw mismatch(ticket);
        }
    }

    /**
     * Returns whether a virtual thread that has released a slot yields. Carriers are not preempted, so a loop of calls whose
     * answers come at once would keep other virtual threads from running.
     *
     * @param ticket the ticket of the slot
     * @return true for every 128th use of a slot by a virtual thread
     */
    public static boolean isYieldDue(long ticket) {
        return SlotStates.generation(ticket) % YIELD_PERIOD == 0
                && Thread.currentThread().isVirtual();
    }

    private boolean releaseOnce(long ticket) {
        var pending = states.isPending(ticket);
        if (!pending && !states.isOwned(ticket)) {
            return false;
        }
        var slot = slot(ticket);
        slot.clear();
        return pending && SharedEngine.leave(slot.command, true) || free(ticket, false);
    }

    /** Releases a slot after a failure. No effect if it was released before the failure. */
    private void releaseAgain(long ticket) {
        try {
            releaseOnce(ticket);
        } catch (Throwable e) {
            slots[(int) ticket].lost = ticket; // no effect if the slot was released before
        }
    }

    /** Returns the current ticket of a slot, for the engine thread when it has received the command. */
    long ticket(int index) {
        return states.current(index);
    }

    /** Returns whether the engine thread has to receive the command of a ticket, which is done. */
    boolean isDelivered(long ticket) {
        return states.isDelivered(ticket);
    }

    /**
     * Returns whether the command of a ticket is done.
     *
     * @param ticket a ticket of the calling thread
     * @return false while it is in flight
     */
    public boolean isDone(long ticket) {
        return states.isOwned(ticket);
    }

    /** Calls the methods that release slots until the JDK has compiled their method handles. */
    void warmUp() {
        for (var i = 0; i < WARM_UP_CALLS; i++) {
            release(tryTake());
        }
    }

    /** Releases a slot whose response the engine thread has received. */
    void releaseReceived(long ticket) {
        slot(ticket).clear();
        if (!free(ticket, true)) {
            throw mismatch(ticket);
        }
    }

    /** Frees a slot. Returns false if the ticket is not that of its current use. */
    private boolean free(long ticket, boolean received) {
        if (!line.isEmpty() && passes.get() >= maxPasses && reserve(ticket, received)) {
            return true;
        }
        var released = states.release(ticket, received);
        hint = SlotStates.slot(ticket);
        if (!line.isEmpty()) {
            serve();
        }
        return released;
    }

    /** Frees a slot for the first in line. Returns false if there is none. */
    private boolean reserve(long ticket, boolean received) {
        if (!line.tryLock()) {
            return false;
        }
        var mine = NONE;
        WaitingLine.@Nullable QueuedCommand command = null;
        try {
            var first = firstInLine();
            if (first instanceof WaitingLine.WaitingThread thread && thread.reserved() == NONE) {
                mine = states.reserve(ticket, received);
                if (mine != NONE) {
                    passes.set(0);
                    reserved = mine;
                    if (!thread.reserve(mine)) {
                        states.revoke(mine); // the thread no longer waits
                    }
                }
            } else if (first instanceof WaitingLine.QueuedCommand queuedCommand) {
                mine = states.reserve(ticket, received);
                if (mine != NONE && states.claim(mine)) {
                    command = queuedCommand;
                    remove(queuedCommand);
                }
            }
        } catch (Throwable e) {
            if (states.isOwned(mine)) {
                abandon(command, mine, e);
            } else {
                states.revoke(mine);
            }
            throw e;
        } finally {
            line.unlock();
        }
        if (command != null) {
            submit(command, mine);
        }
        if (mine != NONE) {
            serve();
        }
        return mine != NONE;
    }

    private DocaException mismatch(long ticket) {
        return new DocaException(
                DocaError.UNEXPECTED,
                "doca_task_submit",
                worker.toString(),
                "A slot was used by two commands at the same time, and this response was dropped: report this"
                        + " as a defect (slot " + SlotStates.slot(ticket) + ").");
    }

    /**
     * Returns the number of slots that are lost until the worker is closed, because their release failed.
     *
     * @return 0 or more
     */
    public int lost() {
        return (int) Arrays.stream(slots)
                .filter(slot -> states.isOwned(slot.lost) || states.isPending(slot.lost))
                .count();
    }

    /**
     * Returns the number of responses that were dropped because their slot had another command meanwhile.
     *
     * @return 0 unless there is a defect
     */
    public int mismatches() {
        return mismatches.get();
    }

    /**
     * Packs a command outside of a slot.
     *
     * @param packer writes the command and returns its length
     * @return a copy on the heap
     * @throws IllegalStateException if the worker is closed
     */
    public MemorySegment pack(ToLongFunction<MemorySegment> packer) {
        try {
            var memory = scratch.poll();
            if (memory == null) {
                memory = SharedEngine.scratch(maxCommandSize(), arena);
            }
            try {
                var length = packer.applyAsLong(memory);
                return CommandSlot.onHeap(length).copyFrom(memory.asSlice(0, length));
            } finally {
                scratch.add(memory);
            }
        } catch (IllegalStateException e) {
            if (arena.scope().isAlive()) {
                throw e;
            }
            throw new Closing.ClosedException(worker); // while the packer wrote
        }
    }

    /**
     * Returns the number of commands in flight.
     *
     * @return 0 to the number of slots
     */
    public int inFlight() {
        var count = 0;
        for (var i = 0; i < slots.length; i++) {
            count += states.pending(i) != NONE ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns the number of commands in flight whose answers are no longer needed.
     *
     * @return 0 to the number of slots
     */
    public int abandoned() {
        var count = 0;
        for (var i = 0; i < slots.length; i++) {
            var ticket = states.pending(i);
            count += ticket != NONE && states.isLeft(ticket) && !isAwaited(i) ? 1 : 0;
        }
        return count;
    }

    private boolean isAwaited(int index) {
        var receiver = slots[index].receiver;
        return receiver != null && !receiver.isDone();
    }

    /**
     * Returns whether a slot is in use, unless its command is in flight and its answer is no longer needed.
     *
     * @return false if no caller would notice that the worker is closed
     */
    public boolean hasCallers() {
        for (var i = 0; i < slots.length; i++) {
            var ticket = states.current(i);
            if (states.isLeft(ticket) ? isAwaited(i) : !states.isFree(i) && !states.isClosed(i) && !isUnused(ticket)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Compares the commands in flight with those of the last call, which the array has.
     *
     * @param tickets the tickets of the commands in flight; {@link #none()} elsewhere
     * @return true if commands were in flight, and all of them still are
     */
    public boolean hasAnsweredNone(long[] tickets) {
        var before = 0;
        var answered = 0;
        for (var i = 0; i < slots.length; i++) {
            var ticket = states.pending(i);
            if (tickets[i] != NONE) {
                before++;
                answered += tickets[i] != ticket ? 1 : 0;
            }
            tickets[i] = ticket;
        }
        return before > 0 && answered == 0;
    }

    /**
     * Ends all waits for a slot, present and future. Queued commands, which are not sent, fail with a
     * {@link Closing.ClosedException}.
     */
    public void retire() {
        close();
        failQueued(new Closing.ClosedException(worker));
    }

    private void failQueued(RuntimeException reason) {
        for (var command : line.end()) {
            queued.decrementAndGet(command.submitter);
            command.receiver.fail(reason);
        }
    }

    /** Ends all waits for a slot, present and future. */
    public void close() {
        closed = true;
        line.wakeAll();
    }

    /**
     * Closes the slots that no thread uses: free ones, and those of threads that have terminated or failed to
     * release them. Called on the engine thread.
     *
     * @return whether all slots are closed
     */
    public boolean closeSlots() {
        var all = true;
        for (var i = 0; i < slots.length; i++) {
            var ticket = states.current(i);
            if (states.isOwned(ticket)) {
                all &= isUnused(ticket) && states.closeOwned(ticket);
            } else {
                states.revoke(ticket);
                all &= states.isClosed(i) || states.close(ticket);
            }
        }
        return all;
    }

    /** Returns whether the slot of a ticket is owned, and its owner does not use it again. */
    private boolean isUnused(long ticket) {
        // The owner is recorded after the slot was taken, and cleared before it is released.
        var slot = slot(ticket);
        var owner = slot.owner;
        return states.isOwned(ticket)
                && (slot.lost == ticket || owner != null && owner.getState() == Thread.State.TERMINATED);
    }

    /**
     * Returns the names of the threads that have slots.
     *
     * @return the names, separated by commas
     */
    public String owners() {
        return Arrays.stream(slots)
                .map(slot -> slot.owner)
                .filter(Objects::nonNull)
                .map(thread -> "\"" + thread.getName() + "\"")
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** Ends the views of the payloads, and fails the queued commands. */
    void end(RuntimeException reason) {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        failQueued(reason);
    }
}

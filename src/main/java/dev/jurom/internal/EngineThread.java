// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.CoreAccess;
import dev.jurom.core.internal.RunningCallback;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.core.internal.Timeout;
import dev.jurom.urom.UromWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine thread. It creates and destroys all native objects, drives while no caller does, and receives the
 * commands for which no caller waits in C. All methods but {@link #execute}, {@link #stop} and {@link #wake} are
 * confined to it.
 *
 * <p>Nothing ends this thread: the exception of a step is dropped, and the next step begins with the same state.
 */
final class EngineThread implements Runnable {

    private static final long SWEEPS = 64; // within the call timeout
    private static final long MIN_PERIOD = 1_000_000;
    private static final long MAX_PERIOD = 1_000_000_000;
    private static final long CONDITION_PERIOD = 1_000_000; // while conditions are pending
    private static final long RETRY_PERIOD = 10_000_000; // of failed deliveries

    private final ProgressEngine progress = ProgressEngine.create();
    private final CoreAccess core = CoreAccess.get();
    private final SharedEngine shared = core.share(progress);
    private final long spinNanos;
    private final Optional<Duration> callTimeout;
    private final long period; // time between sweeps
    private final FutureDeadlines deadlines = new FutureDeadlines(this::wake);
    private final Deliveries deliveries;
    private final Queue<Runnable> requests = new ConcurrentLinkedQueue<>(); // added under itself
    private volatile boolean stopped; // written under requests
    private volatile @Nullable Throwable teardownFailure;

    private final List<Conditional> conditions = new ArrayList<>();
    private @Nullable CommandSlots[] workers = {};
    private long nextSweep = System.nanoTime();
    private boolean undelivered; // a response was not delivered
    private long received; // the next command to be received; 0: none
    private long dropped; // exceptions of steps

    /** An action that runs once a condition holds. */
    private record Conditional(BooleanSupplier condition, Runnable action) {}

    /** Creates the progress engine. The calling thread becomes the engine thread. */
    EngineThread(long spinNanos, Optional<Duration> callTimeout, CompletionThreads threads, Executor executor) {
        this.deliveries = new Deliveries(Thread.currentThread(), threads, executor, deadlines, this::wake);
        this.spinNanos = spinNanos;
        this.callTimeout = callTimeout;
        this.period = callTimeout
                .map(timeout -> Math.clamp(Timeout.nanos(timeout) / SWEEPS, MIN_PERIOD, MAX_PERIOD))
                .orElse(MAX_PERIOD);
        shared.warmUp();
        shared.unlock();
    }

    Deliveries deliveries() {
        return deliveries;
    }

    ProgressEngine progress() {
        return progress;
    }

    SharedEngine shared() {
        return shared;
    }

    boolean isStopped() {
        return stopped;
    }

    @Nullable
    Throwable teardownFailure() {
        return teardownFailure;
    }

    /** Runs a request while this thread holds the lock. Throws IllegalStateException if this is stopped. */
    void execute(Runnable request) {
        synchronized (requests) {
            if (stopped) {
                throw new IllegalStateException("This Urom is closed");
            }
            requests.add(request);
            shared.wake();
        }
    }

    /** Ends this thread once it has run all requests. */
    void stop() {
        synchronized (requests) {
            if (!stopped) {
                stopped = true;
                shared.wake();
            }
        }
    }

    /** Wakes this thread to handle a change. */
    void wake() {
        synchronized (requests) {
            if (!stopped) {
                shared.wake();
            }
        }
    }

    /** The commands of the shared engine. */
    private final class Commands implements CommandSlots.Engine {

        @Override
        public void submit(long command) {
            shared.submit(command);
        }

        @Override
        public void cancel(long command, long state) {
            synchronized (requests) {
                if (!stopped) { // else the engine may be freed
                    SharedEngine.cancel(command, state);
                }
            }
        }

        @Override
        public boolean adopt(long command, long state) {
            synchronized (requests) {
                return !stopped && SharedEngine.adopt(command, state);
            }
        }

        @Override
        public boolean await(long command, long nanoseconds, boolean maySleep) {
            return shared.await(command, nanoseconds, spinNanos, maySleep ? 1 : 0);
        }
    }

    @Override
    public void run() {
        while (!stopped || !requests.isEmpty()) {
            try {
                step();
            } catch (Throwable e) {
                dropped++; // a log could throw again
            }
        }
        end();
    }

    private void step() {
        var records = shared.run(sleepNanos(), spinNanos, isActive());
        receive();
        if (records || !requests.isEmpty() || isActive()) {
            var serves = false;
            shared.lock();
            try {
                if (records) {
                    core.deliverCollected(progress);
                }
                runRequests();
                runConditions();
                serves = core.servers(progress).take();
            } finally {
                shared.unlock();
            }
            if (serves) {
                serve();
            }
        }
        var now = System.nanoTime();
        deadlines.expire(now);
        if (nextSweep - now <= 0) {
            sweep(now);
        }
    }

    /** Returns whether this thread waits for events other than commands. */
    private boolean isActive() {
        return !conditions.isEmpty() || !core.servers(progress).isEmpty();
    }

    /** Runs the application's exchanges, without the lock. */
    private void serve() {
        core.servers(progress).work();
        shared.lock();
        try {
            core.servers(progress).answer();
        } finally {
            shared.unlock();
        }
    }

    private long sleepNanos() {
        var now = System.nanoTime();
        if (undelivered || deliveries.hasRetries()) {
            nextSweep = Math.min(nextSweep - now, RETRY_PERIOD) + now;
        }
        var nanoseconds = Math.clamp(deadlines.plan(nextSweep) - now, 0, MAX_PERIOD);
        return !requests.isEmpty() ? 0 : isActive() ? Math.min(nanoseconds, CONDITION_PERIOD) : nanoseconds;
    }

    private void runRequests() {
        for (var request = requests.poll(); request != null; request = requests.poll()) {
            try {
                request.run();
            } catch (Throwable e) {
                dropped++; // a request reports its failures itself
            }
        }
    }

    private void runConditions() {
        for (var i = 0; i < conditions.size(); ) {
            var conditional = conditions.get(i);
            var holds = true; // if the condition throws, the action reports the failure
            try {
                holds = conditional.condition().getAsBoolean();
            } catch (RuntimeException e) {
                dropped++;
            }
            if (!holds) {
                i++;
                continue;
            }
            conditions.remove(i);
            conditional.action().run();
        }
    }

    /** Runs an action, with the lock, once a condition holds, which is checked at least every millisecond. */
    void when(BooleanSupplier condition, Runnable action) {
        conditions.add(new Conditional(condition, action));
    }

    /** Returns whether no request and only one condition is pending. */
    boolean isQuiet() {
        return conditions.size() == 1 && requests.isEmpty();
    }

    /** Frees the engine, unless a worker could not be destroyed: its callers may still use the engine. */
    private void end() {
        try {
            shared.lock();
            if (Arrays.stream(workers).allMatch(Objects::isNull)) {
                shared.destroy();
                progress.close();
            } else {
                shared.unlock();
            }
        } catch (Throwable e) {
            teardownFailure = e;
        }
        deadlines.end(new IllegalStateException("This Urom is closed"));
    }

    /** Creates the slots of a worker. */
    CommandSlots add(UromWorker worker, long plugin, int count, Object name) {
        var index = 0;
        while (index < workers.length && workers[index] != null) {
            index++;
        }
        var commands = shared.makeCommands(core.object(worker), plugin, count);
        SharedEngine.warmUpLeave(commands[0]);
        var states = new SlotStates.OfCommands(commands);
        var slots = new CommandSlots(
                index,
                worker.id(),
                commands,
                name,
                new RunningCallback(worker.process(), worker.id()),
                states,
                new Commands());
        slots.warmUp();
        if (index == workers.length) {
            workers = Arrays.copyOf(workers, index + 1);
        }
        workers[index] = slots;
        return slots;
    }

    /** Frees the commands of a worker, all of whose slots are closed. No effect if they are freed. */
    void remove(CommandSlots slots) {
        if (workers[slots.number()] == slots) {
            slots.end(new IllegalStateException(slots.worker() + " is closed"));
            shared.freeCommands(slots.commands());
            workers[slots.number()] = null;
        }
    }

    private void receive() {
        if (received == 0) {
            received = shared.receive();
        }
        while (received != 0) {
            var user = SharedEngine.user(received);
            var slots = Objects.requireNonNull(workers[(int) (user >>> Integer.SIZE)]);
            var slot = slots.get((int) user);
            var ticket = slots.ticket((int) user);
            received = SharedEngine.next(received);
            try { // nothing between this and the removal from the list can fail
                receive(slots, slot, ticket);
            } catch (Throwable e) { // OutOfMemoryError, for instance
                dropped++;
                slot.undelivered = ticket;
                undelivered = true;
            }
        }
    }

    /** Receives the response of a command, which is done, and frees its slot. A sweep repeats this after a failure. */
    private static void receive(CommandSlots slots, CommandSlot slot, long ticket) {
        var receiver = slot.receiver;
        if (receiver != null) { // null if its caller no longer waits
            receiver.receive(slot, false);
        }
        try {
            slots.releaseReceived(ticket); // first: a thread that sees the answer finds the slot free
        } finally {
            if (receiver != null) {
                receiver.deliver();
            }
        }
    }

    /** Repeats failed deliveries, and checks the call timeout of commands in flight. */
    private void sweep(long now) {
        nextSweep = now + period;
        deliveries.repeat();
        var retries = undelivered;
        undelivered = false;
        for (var slots : workers) {
            if (slots != null) {
                for (var i = 0; i < slots.size(); i++) {
                    sweep(slots, i, retries);
                }
            }
        }
    }

    private void sweep(CommandSlots slots, int index, boolean retries) {
        var slot = slots.get(index);
        var ticket = slot.undelivered;
        try {
            if (retries && slots.isDelivered(ticket)) {
                receive(slots, slot, ticket);
            }
            if (callTimeout.isPresent() && slot.receiver instanceof PendingAnswer<?> answer) {
                answer.sweep(callTimeout.get(), slots.command());
            }
        } catch (Throwable e) { // the next sweep repeats it, and this one continues with the other slots
            dropped++;
            undelivered = true;
        }
    }
}

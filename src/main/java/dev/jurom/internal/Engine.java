// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.core.internal.SharedEngine;
import dev.jurom.core.internal.Timeout;
import dev.jurom.plugin.Offload;
import dev.jurom.urom.UromWorker;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A progress engine that any thread may submit commands to, and the thread that owns it.
 *
 * <p>A caller that waits drives the engine itself, in one native call; no Java runs while it holds
 * the engine's lock. The engine thread makes and destroys everything native, drives while no caller
 * does, and receives the commands for which no caller waits in native code: those of futures, of
 * virtual threads, and of callers that have left. It runs no code of the application, which runs on
 * the completion executor, except {@linkplain Offload#unpacksAtOnce answers that are unpacked at once}.
 * docs/architecture.md describes the protocol.
 *
 * <p>Nothing ends the engine thread: the exception of a step is dropped, and the next step begins
 * with the same state. All times are nanoseconds of {@link System#nanoTime()}.
 */
public final class Engine {

    /** How late a blocked thread notices an interrupt. */
    private static final long INTERRUPT_NANOS = 20_000_000;
    /** How long a virtual thread drives, which keeps its carrier. */
    private static final long VIRTUAL_NANOS = 100_000;

    private static final long SWEEPS = 64; // within the call timeout
    private static final long SHORTEST_PERIOD = 1_000_000;
    private static final long LONGEST_PERIOD = 1_000_000_000;
    private static final long CONDITION_PERIOD = 1_000_000; // while conditions are waited for
    private static final long RETRY_PERIOD = 10_000_000; // of what an executor did not take
    private static final int SUBMITTER_SPINS = 1000; // until it has left its native call
    /** Stack traces that are longer may have been cut. */
    private static final int LONGEST_TRACE = 1000;
    /** The class whose methods have slots while they run. */
    private static final String CALLERS = "dev.jurom.Worker";
    /** Those methods; one that waits for a slot has none yet. */
    private static final Set<String> WITH_SLOTS = Set.of("callBy", "callAll", "submitBy", "submit", "trySubmit");

    private final Thread thread;
    private final SharedEngine shared;
    private final long spinNanos;
    private final Optional<Duration> callTimeout;
    private final long callNanos;
    private final CompletionThreads threads = new CompletionThreads();
    private final Executor executor;
    private final Queue<Runnable> requests = new ConcurrentLinkedQueue<>(); // added under itself
    private final long period; // of sweeps
    private final AtomicLong nextSweep;
    private volatile boolean stopped; // written under requests

    // The engine thread's own.
    private final ProgressEngine progress;
    private final List<Conditional> conditions = new ArrayList<>();
    private final List<Expiry> expiries = new ArrayList<>();
    private @Nullable CommandSlots[] workers = {};
    private boolean undelivered; // some slot is
    private boolean holds; // the slot whose command it receives
    private long received; // the next command to be received; 0: none is known
    private long nextReclaim;
    private long dropped; // exceptions of steps
    private volatile @Nullable Throwable teardownFailure;

    /** An action that runs once a condition holds. */
    private record Conditional(BooleanSupplier condition, Runnable action) {}

    /** A future that fails at a deadline. */
    private record Expiry(CompletableFuture<?> future, Deadline deadline, Object asked) {}

    /** Of the calling thread, which becomes the engine thread. */
    private Engine(long spinNanos, Optional<Duration> callTimeout, Optional<Executor> executor) {
        this.thread = Thread.currentThread();
        this.spinNanos = spinNanos;
        this.callTimeout = callTimeout;
        this.callNanos = callTimeout.map(Timeout::nanos).orElse(Long.MAX_VALUE / 2);
        this.period = Math.clamp(callNanos / SWEEPS, SHORTEST_PERIOD, LONGEST_PERIOD);
        this.executor = executor.orElse(threads);
        this.nextSweep = new AtomicLong(System.nanoTime());
        this.progress = ProgressEngine.create();
        this.shared = progress.share();
        shared.unlock();
    }

    /**
     * Starts an engine. Blocks until the engine thread has made the progress engine.
     *
     * @param spinNanos nanoseconds to poll while nothing arrives, before a thread sleeps
     * @param callTimeout how long a command may take that has no deadline of its own; empty: for
     *        ever
     * @param executor completes futures; empty: threads of the engine's own
     * @return an engine, to be {@linkplain #stop stopped}
     */
    public static Engine start(long spinNanos, Optional<Duration> callTimeout, Optional<Executor> executor) {
        var begun = new CompletableFuture<Engine>();
        Thread.ofPlatform().daemon().name("urom").start(() -> {
            try {
                begun.complete(new Engine(spinNanos, callTimeout, executor));
            } catch (Throwable e) {
                begun.completeExceptionally(e);
                return;
            }
            begun.resultNow().live();
        });
        return Deadline.in(Deadline.PATIENCE).await(begun, "the start of the progress engine");
    }

    private void live() {
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
                    progress.deliverCollected();
                }
                runRequests();
                runConditions();
                serves = progress.servers().take();
            } finally {
                shared.unlock();
            }
            if (serves) {
                serve();
            }
        }
        var now = System.nanoTime();
        if (nextSweep.get() - now <= 0 || undelivered) {
            sweep(now);
        }
    }

    /** Whether something is waited for that no command brings. */
    private boolean isActive() {
        return !conditions.isEmpty() || !progress.servers().isEmpty();
    }

    /** Runs the application's exchanges, without the lock. */
    private void serve() {
        progress.servers().work();
        shared.lock();
        try {
            progress.servers().answer();
        } finally {
            shared.unlock();
        }
    }

    private long sleepNanos() {
        var untilSweep = Math.clamp(nextSweep.get() - System.nanoTime(), 0, LONGEST_PERIOD);
        return !requests.isEmpty()
                ? 0
                : undelivered
                        ? Math.min(untilSweep, RETRY_PERIOD)
                        : !isActive() ? untilSweep : Math.min(untilSweep, CONDITION_PERIOD);
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

    /** Frees the engine, unless a worker could not be destroyed, whose callers may still use it. */
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
        var closed = new IllegalStateException("This Urom is closed");
        expiries.forEach(expiry -> expiry.future().completeExceptionally(closed));
    }

    /**
     * Returns the progress engine.
     *
     * @return the engine, for the engine thread while it runs a request
     */
    public ProgressEngine progress() {
        return progress;
    }

    /**
     * Returns whether the current thread is the engine thread.
     *
     * @return true in completions of an executor that runs them at once
     */
    public boolean isEngineThread() {
        return Thread.currentThread() == thread;
    }

    /**
     * Returns whether this was stopped.
     *
     * @return true if the engine thread ends, or has ended
     */
    public boolean isStopped() {
        return stopped;
    }

    /**
     * Requires that the current thread may wait for the engine thread.
     *
     * @throws IllegalStateException if it is the engine thread
     */
    public void requireOtherThread() {
        if (isEngineThread()) {
            throw new IllegalStateException(
                    "The engine thread cannot wait for itself: use a" + " completion executor with other threads");
        }
    }

    /**
     * Requires that the current thread may begin a blocking call: it is not the engine thread, and
     * has enough stack left to end the call.
     *
     * @throws IllegalStateException if it is the engine thread
     * @throws StackOverflowError if the stack is nearly used up
     */
    public void requireCaller() {
        requireOtherThread();
        requireStack();
    }

    /**
     * Requires that enough stack is left to begin and to end a command.
     *
     * @throws StackOverflowError if the stack is nearly used up
     */
    public void requireStack() {
        if (SharedEngine.isStackLow()) {
            throw new StackOverflowError("too little stack is left to begin a command");
        }
    }

    // What other threads ask for.

    /**
     * Runs a request on the engine thread while that holds the lock.
     *
     * @param request what to run; it must not block, and reports its failures itself
     * @throws IllegalStateException if this is stopped
     */
    public void execute(Runnable request) {
        synchronized (requests) {
            if (stopped) {
                throw new IllegalStateException("This Urom is closed");
            }
            requests.add(request);
            shared.wake();
        }
    }

    /**
     * Begins an operation on the engine thread that ends later.
     *
     * @param <T> the type of its result
     * @param result takes the result; dependent actions run on the engine thread
     * @param action begins the operation, and sees to it that the future is completed
     * @param deadline when the future fails with {@code TIME_OUT}
     * @param asked names the operation and its object
     * @return the future
     * @throws IllegalStateException if this is stopped
     */
    public <T> CompletableFuture<T> ask(
            CompletableFuture<T> result, Consumer<CompletableFuture<T>> action, Deadline deadline, Object asked) {
        execute(() -> {
            try {
                expiries.add(new Expiry(result, deadline, asked));
                expect(deadline);
                action.accept(result);
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /**
     * Runs an action once a condition holds; for the engine thread, which examines the condition at
     * least every millisecond.
     *
     * @param condition what has to hold
     * @param action what runs then, while the lock is held
     */
    public void when(BooleanSupplier condition, Runnable action) {
        conditions.add(new Conditional(condition, action));
    }

    /**
     * Returns a future that completes when no request and no condition is pending.
     *
     * @param deadline when it fails with {@code TIME_OUT}
     * @return a future without a result
     */
    public CompletableFuture<Void> quiet(Deadline deadline) {
        return ask(
                new CompletableFuture<>(),
                quiet -> when(() -> conditions.size() == 1 && requests.isEmpty(), () -> quiet.complete(null)),
                deadline,
                "the last request to the progress engine");
    }

    /**
     * Waits for a result. Not interruptible: the interrupt status is preserved.
     *
     * @param <T> the type of the result
     * @param result what the engine thread completes; it fails with {@code TIME_OUT} at the
     *        deadline
     * @param deadline how long to wait
     * @param asked names the operation and its object
     * @return the result
     * @throws IllegalStateException if the current thread is the engine thread
     */
    public <T> T await(CompletableFuture<T> result, Deadline deadline, Object asked) {
        requireOtherThread();
        return deadline.await(result, asked);
    }

    /**
     * Makes a future for the application from a result of the engine thread.
     *
     * @param <T> the type of the result
     * @param result what the engine thread completes; it fails when the future is cancelled
     * @param unwanted runs, on a thread of the executor, with a result that came too late
     * @return a future that the completion executor completes
     */
    public <T> CompletableFuture<T> view(CompletableFuture<T> result, Consumer<T> unwanted) {
        var view = follow(result, unwanted);
        view.whenComplete((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            }
        });
        return view;
    }

    /**
     * Makes a future for the application that follows a future of the engine thread.
     *
     * @param <T> the type of the result
     * @param source what the engine thread completes or cancels
     * @param unwanted runs, on a thread of the executor, with a result that came too late
     * @return a future that the completion executor completes or cancels
     */
    public <T> CompletableFuture<T> follow(CompletableFuture<T> source, Consumer<T> unwanted) {
        var view = new PendingAnswer<T>(thread, null, null, null);
        source.whenComplete((value, failure) -> complete(() -> {
            if (failure instanceof CancellationException) {
                view.cancel(false);
            } else if (failure != null) {
                view.completeExceptionally(failure);
            } else if (!view.complete(value)) {
                unwanted.accept(value);
            }
        }));
        return view;
    }

    /** Runs a completion on the executor, or on threads of this if that does not take it. */
    private void complete(Runnable completion) {
        try {
            executor.execute(completion);
        } catch (RejectedExecutionException e) {
            threads.execute(completion);
        }
    }

    /**
     * Ends the engine thread. Close all contexts first: the native engine is kept while callers may
     * have slots.
     *
     * @param deadline how long to wait for that
     * @throws DocaException with {@code TIME_OUT} if the engine thread has not ended
     * @throws RuntimeException if the progress engine could not be destroyed
     */
    public void stop(Deadline deadline) {
        synchronized (requests) {
            if (!stopped) {
                stopped = true;
                shared.wake();
            }
        }
        deadline.join(thread);
        threads.close(deadline);
        if (thread.isAlive()) {
            throw deadline.failure("the end of the engine thread");
        }
        if (teardownFailure != null) {
            throw Deadline.inCurrentThread(teardownFailure);
        }
    }

    // Commands.

    /**
     * Makes the slots of a worker; for the engine thread.
     *
     * @param worker the worker, which runs
     * @param plugin the id of one of its plugins
     * @param count how many: a power of two
     * @param asked names the worker in time-outs
     * @return the slots, to be {@linkplain #remove removed}
     */
    public CommandSlots add(UromWorker worker, long plugin, int count, Object asked) {
        var index = 0;
        while (index < workers.length && workers[index] != null) {
            index++;
        }
        var slots = new CommandSlots(index, worker.sharedCommands(shared, plugin, count), asked);
        if (index == workers.length) {
            workers = Arrays.copyOf(workers, index + 1);
        }
        workers[index] = slots;
        return slots;
    }

    /**
     * Takes the slots of a worker that are free, for good; for the engine thread.
     *
     * @param slots the slots
     * @return whether it has them all: no other thread uses one
     */
    public boolean takeAllForGood(CommandSlots slots) {
        return slots.takeAllForGood(thread);
    }

    /**
     * Frees the slots of a worker, all of which are taken for good; for the engine thread. No effect
     * if that was done.
     *
     * @param slots the slots
     * @throws IllegalStateException if a channel or a native call uses a payload; call this method
     *         again
     */
    public void remove(CommandSlots slots) {
        if (workers[slots.worker()] != slots) {
            return;
        }
        slots.end(answer ->
                complete(() -> answer.completeExceptionally(new IllegalStateException(slots.asked() + " is closed"))));
        shared.freeCommands(slots.commands());
        workers[slots.worker()] = null;
    }

    /**
     * Submits the command of a slot and waits until it is done.
     *
     * @param slot the slot; if it is not done when this throws, release it all the same
     * @param deadline when to give up; null: after the call timeout
     * @param asked names the worker in a time-out
     * @throws DocaException with {@code TIME_OUT} if it is not done in time
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public void call(CommandSlot slot, @Nullable Deadline deadline, Object asked) throws InterruptedException {
        var nanos = deadline == null ? callNanos : deadline.remaining();
        var virtual = Thread.currentThread().isVirtual();
        var done = virtual
                ? shared.call(slot.command, Math.min(nanos, VIRTUAL_NANOS), Math.min(spinNanos, VIRTUAL_NANOS), 0)
                : shared.call(slot.command, Math.min(nanos, INTERRUPT_NANOS), spinNanos, 1);
        if (!done) {
            await(List.of(slot), deadline, asked);
        }
    }

    /**
     * Submits the commands of slots that are linked. Never blocks.
     *
     * @param first the first slot; the current thread awaits or releases all of them
     */
    public void begin(CommandSlot first) {
        shared.begin(first.command);
    }

    /**
     * Waits until all commands of a batch are done, at most for the call timeout.
     *
     * @param batch the slots, in order, which have {@linkplain #begin begun}
     * @param asked names the worker in a time-out
     * @throws DocaException with {@code TIME_OUT} if one is not done in time
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public void await(List<CommandSlot> batch, Object asked) throws InterruptedException {
        var virtual = Thread.currentThread().isVirtual();
        if (!shared.await(
                batch.getFirst().command,
                Math.min(callNanos, virtual ? VIRTUAL_NANOS : INTERRUPT_NANOS),
                virtual ? Math.min(spinNanos, VIRTUAL_NANOS) : spinNanos,
                virtual ? 0 : 1)) {
            await(batch, null, asked);
        }
    }

    private void await(List<CommandSlot> batch, @Nullable Deadline deadline, Object asked) throws InterruptedException {
        var virtual = Thread.currentThread().isVirtual();
        var last = deadline != null
                ? deadline.at()
                : System.nanoTime() + callNanos - (virtual ? VIRTUAL_NANOS : INTERRUPT_NANOS);
        if (virtual) {
            for (var slot : batch) {
                park(slot, last, deadline, asked);
            }
            return;
        }
        long remaining;
        do {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            remaining = last - System.nanoTime();
            if (remaining <= 0) {
                throw late(deadline, asked);
            }
        } while (!shared.await(batch.getFirst().command, Math.min(remaining, INTERRUPT_NANOS), spinNanos, 1));
    }

    private DocaException late(@Nullable Deadline deadline, Object asked) {
        return deadline != null
                ? deadline.failure(command(asked))
                : Deadline.failure(command(asked), callTimeout.orElseThrow());
    }

    private static String command(Object worker) {
        return "a command to " + worker;
    }

    /** Waits until the engine thread has received a command: a virtual thread gives up its carrier. */
    private void park(CommandSlot slot, long last, @Nullable Deadline deadline, Object asked)
            throws InterruptedException {
        var me = Thread.currentThread();
        slot.parked.set(me);
        if (!SharedEngine.leave(slot.command)) {
            slot.parked.set(null);
            return;
        }
        var interrupted = false;
        while (slot.parked.get() == me) {
            LockSupport.parkNanos(this, Math.clamp(last - System.nanoTime(), 0, LONGEST_PERIOD));
            interrupted |= Thread.interrupted();
            if ((interrupted || last - System.nanoTime() <= 0) && slot.parked.compareAndSet(me, CommandSlot.LEFT)) {
                if (interrupted) {
                    throw new InterruptedException();
                }
                throw late(deadline, asked);
            }
        }
        SharedEngine.clearUsers(slot.command);
        slot.parked.set(null);
        if (interrupted) {
            me.interrupt();
        }
    }

    /**
     * Makes a slot free again, as soon as its command is done. No effect if the current thread is
     * not its owner any more.
     *
     * @param slots the worker's slots
     * @param slot the slot
     */
    public void release(CommandSlots slots, CommandSlot slot) {
        if (isReleasable(slot)) {
            slots.give(slot);
        }
    }

    /**
     * Makes the slots of a batch free again, each as soon as its command is done.
     *
     * @param slots the worker's slots
     * @param batch the slots of the batch
     */
    public void release(CommandSlots slots, List<CommandSlot> batch) {
        for (var i = 0; i < batch.size(); i++) {
            if (isReleasable(batch.get(i))) {
                slots.free(batch.get(i));
            }
        }
        slots.served();
    }

    /** Whether the current thread owns a slot whose command is done; else the engine thread gets it. */
    private static boolean isReleasable(CommandSlot slot) {
        if (SharedEngine.users(slot.command) != 0) {
            return false; // the engine thread receives it
        }
        VarHandle.acquireFence(); // the engine thread becomes the owner before it clears the users
        return slot.owner.getPlain() == Thread.currentThread()
                && !(SharedEngine.isPending(slot.command) && SharedEngine.leave(slot.command));
    }

    /**
     * Makes a future for a command.
     *
     * @param <R> the type of the answer
     * @param offload the kind of command
     * @param failures makes the exception of a command that failed, on a thread of the executor
     * @param deadline when it fails with {@code TIME_OUT}; null: after the call timeout
     * @return the future, to be submitted or queued
     */
    public <R> PendingAnswer<R> answer(
            Offload<?, R> offload, Function<CommandEnd, RuntimeException> failures, @Nullable Deadline deadline) {
        return new PendingAnswer<>(thread, offload, failures, deadline);
    }

    /**
     * Submits the command of a slot, which the engine thread receives. Never blocks.
     *
     * @param slot the slot, which is no longer the caller's
     * @param answer its future
     */
    public void submit(CommandSlot slot, PendingAnswer<?> answer) {
        var deadline = answer.deadline();
        if (deadline != null) {
            expect(deadline);
        }
        slot.pending = answer;
        slot.later = null;
        shared.submit(slot.command);
    }

    /**
     * Submits a packed command once a slot is free, after those that wait for one. Never blocks.
     *
     * @param slots the worker's slots
     * @param answer its future; the command is not submitted if that is done before
     * @param fill copies the command into a slot
     */
    public void submitLater(CommandSlots slots, PendingAnswer<?> answer, Consumer<CommandSlot> fill) {
        var deadline = answer.deadline();
        if (deadline != null) {
            expect(deadline);
        }
        slots.queue(answer, slot -> {
            fill.accept(slot);
            submit(slot, answer);
        });
    }

    /** Plans a sweep at a deadline. */
    private void expect(Deadline deadline) {
        var planned = nextSweep.get();
        while (deadline.at() - planned < 0 && !nextSweep.compareAndSet(planned, deadline.at())) {
            planned = nextSweep.get();
        }
        if (deadline.at() - planned < 0) {
            synchronized (requests) {
                if (!stopped) {
                    shared.wake();
                }
            }
        }
    }

    // Receiving, on the engine thread.

    private void receive() {
        if (received == 0) {
            received = shared.receive();
        }
        while (received != 0) {
            var command = received;
            var user = SharedEngine.user(command);
            var slots = workers[(int) (user >>> Integer.SIZE)];
            var slot = slots.get((int) user);
            received = SharedEngine.next(command);
            holds = true;
            try {
                received(slots, slot);
            } catch (Throwable e) {
                keep(slot); // OutOfMemoryError, for instance
            }
        }
    }

    /** Keeps a command for the next sweep after a failure, unless another thread may have the slot. */
    private void keep(CommandSlot slot) {
        dropped++;
        slot.undelivered |= holds;
        undelivered |= holds;
    }

    /** A command is done; again if the executor did not take its completion. */
    private void received(CommandSlots slots, CommandSlot slot) {
        if (slot.parked.get() instanceof Thread waiting && handOver(slot, waiting)) {
            LockSupport.unpark(waiting);
            return;
        }
        slot.owner.set(thread);
        deliver(slot);
        var spins = 0;
        while (SharedEngine.users(slot.command) == 2 && spins++ < SUBMITTER_SPINS) {
            Thread.onSpinWait();
        }
        slot.undelivered = SharedEngine.users(slot.command) == 2;
        undelivered |= slot.undelivered;
        if (!slot.undelivered) {
            SharedEngine.clearUsers(slot.command);
            holds = false; // from now on it may be another thread's
            slots.give(slot);
        }
    }

    /** Gives a slot to the thread that waits for its command. Returns false if that has left. */
    private boolean handOver(CommandSlot slot, Thread waiting) {
        var undeliveredBefore = slot.undelivered;
        slot.undelivered = false; // first: from the exchange on, the thread may use the slot
        holds = !slot.parked.compareAndSet(waiting, CommandSlot.RECEIVED);
        if (holds) {
            slot.undelivered = undeliveredBefore;
        }
        return !holds;
    }

    /** Hands the future of a command to the executor. */
    private void deliver(CommandSlot slot) {
        var answer = slot.pending;
        if (answer != null && !answer.isDone()) {
            complete(completion(answer, slot));
        }
        slot.pending = null;
    }

    /** Returns what completes an answer on any thread, also after the slot is free again. */
    private static Runnable completion(PendingAnswer<?> answer, CommandSlot slot) {
        if (answer.unpacksAtOnce() && slot.isSuccess()) {
            return answer.unpacked(slot.response());
        }
        var end = slot.end();
        return () -> answer.end(end);
    }

    // Sweeps, on the engine thread.

    /**
     * Fails late futures, delivers those that could not be delivered, and reclaims slots that their
     * owners have lost. The time of a command without a deadline begins when a sweep first sees it.
     */
    private void sweep(long now) {
        nextSweep.set(now + period); // first: sweeps that are planned meanwhile come earlier
        undelivered = false;
        for (var slots : workers) {
            if (slots != null) {
                slots.forEachQueued(answer -> check(answer, slots.asked(), now));
                for (var i = 0; i < slots.size(); i++) {
                    sweepSlot(slots, slots.get(i), now);
                }
            }
        }
        expiries.removeIf(expiry -> expiry.future().isDone());
        for (var expiry : expiries) {
            if (expiry.deadline().at() - now > 0) {
                expect(expiry.deadline());
            } else {
                expiry.future().completeExceptionally(expiry.deadline().failure(expiry.asked()));
            }
        }
        if (now - nextReclaim >= 0) {
            nextReclaim = now + LONGEST_PERIOD;
            for (var slots : workers) {
                if (slots != null) {
                    reclaim(slots);
                }
            }
        }
    }

    private void sweepSlot(CommandSlots slots, CommandSlot slot, long now) {
        if (slot.undelivered) {
            holds = true;
            try {
                received(slots, slot);
            } catch (Throwable e) {
                keep(slot);
            }
        } else if (slot.pending != null) {
            check(slot.pending, slots.asked(), now);
        }
    }

    private void check(@Nullable PendingAnswer<?> answer, Object asked, long now) {
        if (answer == null || answer.isDone()) {
            return;
        }
        callTimeout.ifPresent(usual -> answer.limit(new Deadline(now + callNanos, usual)));
        var deadline = answer.deadline();
        if (deadline != null && deadline.at() - now > 0) {
            expect(deadline);
        } else if (deadline != null) {
            complete(() -> answer.completeExceptionally(deadline.failure(command(asked))));
        }
    }

    /**
     * Reclaims slots that are lost: those of the engine thread at once, others if they had the same
     * owner a second ago, which is not in a call.
     */
    private void reclaim(CommandSlots slots) {
        for (var i = 0; i < slots.size(); i++) {
            var slot = slots.get(i);
            var owner = slot.owner.get();
            var takes = slot.takes;
            var isSeen = slot.seenTakes == takes;
            slot.seenTakes = takes;
            if (owner == null || slot.takenForGood || slot.undelivered || isReceivedLater(slot)) {
                continue;
            }
            if (owner == thread
                    || isSeen
                            && !SharedEngine.isAwaited(slot.command)
                            && !isInCall(owner)
                            && slot.owner.compareAndSet(owner, thread)) {
                reclaim(slots, slot);
            }
        }
    }

    private static boolean isReceivedLater(CommandSlot slot) {
        return SharedEngine.users(slot.command) != 0 && slot.parked.get() != CommandSlot.RECEIVED;
    }

    /** Does what the owner of a slot has left undone. */
    private void reclaim(CommandSlots slots, CommandSlot slot) {
        var later = slot.later;
        var answer = slot.pending;
        if (slot.parked.get() == CommandSlot.RECEIVED) {
            SharedEngine.clearUsers(slot.command);
        }
        if (later != null) {
            later.accept(slot); // another thread's command
        } else if (answer != null && !answer.isDone()) {
            shared.submit(slot.command);
        } else if (!SharedEngine.isPending(slot.command) || !SharedEngine.leave(slot.command)) {
            slots.give(slot);
        }
    }

    /** Whether a thread may be in a call that has a slot. */
    private static boolean isInCall(Thread owner) {
        var frames = owner.getStackTrace();
        if (frames.length >= LONGEST_TRACE) {
            return true;
        }
        var calls = 0;
        for (var frame : frames) {
            if (frame.getClassName().equals(CommandSlots.class.getName())
                    && frame.getMethodName().equals("serve")) {
                return true; // it may submit another thread's command
            }
            if (frame.getClassName().equals(CALLERS)) {
                calls += WITH_SLOTS.contains(frame.getMethodName())
                        ? 1
                        : frame.getMethodName().equals("waitForSlot") ? -1 : 0;
            }
        }
        return calls > 0;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.CommandEvent;
import dev.jurom.core.internal.Timeout;
import dev.jurom.internal.BackPressureEvent;
import dev.jurom.internal.Batch;
import dev.jurom.internal.Calls;
import dev.jurom.internal.Closing;
import dev.jurom.internal.CommandEnd;
import dev.jurom.internal.CommandSlot;
import dev.jurom.internal.CommandSlots;
import dev.jurom.internal.Deadline;
import dev.jurom.internal.Dependents;
import dev.jurom.internal.Engine;
import dev.jurom.internal.ParkedCall;
import dev.jurom.internal.PendingAnswer;
import dev.jurom.plugin.CodecException;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.internal.FailureText;
import dev.jurom.plugin.internal.RegionUsers;
import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.runtime.internal.PrintableLines;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerExit;
import dev.jurom.urom.WorkerId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A worker process that executes commands.
 *
 * <p>A command occupies one of the worker's slots until it completes. If all slots are occupied,
 * {@link #call} waits, {@link #submit} queues the command, and {@link #trySubmit} returns an empty
 * result. Threads and queued commands wait in one line. A running thread may take a free slot although
 * others wait, but not before its own queued commands; the thread that has waited longest is passed over
 * a bounded number of times. A call that gives up, and a future that is cancelled or
 * times out, cancels its command: the worker does not start it, or notifies the plugin. The slot is free once
 * the worker has answered.
 *
 * <p>A command has a deadline: the {@linkplain UromConfiguration.Builder#callTimeout call timeout}
 * of the configuration, or that of its {@link CallOptions}. Either covers the wait for a slot and for the answer.
 * The worker receives the deadline of a command with its own timeout.
 *
 * <p>Futures complete on the {@linkplain UromConfiguration.Builder#completionExecutor completion
 * executor}, which also unpacks their answers. A call unpacks its answer itself.
 *
 * <p>This class is thread-safe; virtual threads may use it, too. Stands for
 * {@code struct doca_urom_worker} with its command tasks.
 */
public final class Worker implements AutoCloseable {

    private static final long NONE = CommandSlots.none(); // no ticket
    private static final Duration LONGEST_EXIT_WAIT = Duration.ofSeconds(1);
    private static final String RAISE_SIZE = "To send longer commands, increase maxMessageSize of the"
            + " UromConfiguration, which also applies to a service in this process, and"
            + " --max-msg-size of a daemon.";

    private final Engine engine;
    private final Dependents dependents;
    private final UromWorker context; // confined to the engine thread
    private final CommandSlots slots;
    private final Calls calls;
    private final Map<String, PluginInfo> plugins;
    private final long id;
    private final long submitNanos;
    private final RdmoHost rdmo = new RdmoHost();
    private final Function<CommandEnd, RuntimeException> failures = this::failure;
    private final CompletableFuture<WorkerExit> exited = new CompletableFuture<>();
    private final Closing closing = new Closing();
    private @Nullable PendingReceives receives; // guarded by this
    private boolean stopping; // confined to the engine thread
    private volatile boolean running = true;
    private volatile boolean accepting = true; // commands; false before closed is true
    private volatile boolean closed; // by its owner: commands in flight fail for this reason

    /** Creates a worker of a running context, on the engine thread. */
    Worker(
            Engine engine,
            Dependents dependents,
            UromWorker context,
            Map<String, PluginInfo> plugins,
            WorkerConfiguration configuration) {
        this.engine = engine;
        this.dependents = dependents;
        this.context = context;
        this.plugins = plugins;
        this.id = context.id();
        this.submitNanos = Timeout.nanos(configuration.submitTimeout());
        this.slots = engine.add(context, plugins.values().iterator().next().id(), configuration.tasks(), this);
        this.calls = engine.calls(slots);
        context.onStateChanged((changed, previous, next) -> stateChanged(next));
        // Initializes the classes here: an initialization that overflows the stack fails permanently.
        CommandEvent.begin(0, 0, 0);
        new BackPressureEvent();
    }

    /**
     * Returns the worker's id.
     *
     * @return an unsigned number
     */
    public long id() {
        return id;
    }

    /**
     * Returns whether this worker accepts commands.
     *
     * @return false once it is closed, or its process has exited
     */
    public boolean isRunning() {
        return running && accepting;
    }

    /**
     * Returns the size of the largest command that fits into a message to this worker.
     *
     * @return the maximum number of bytes that an {@link Offload} may pack
     */
    public long maxCommandSize() {
        return slots.maxCommandSize();
    }

    /**
     * Returns the number of slots that are lost until this worker is closed. A slot is lost if its calling thread
     * failed to release it, for example because the heap was full.
     *
     * @return 0 or more; fewer commands can be in flight by this number
     */
    public int lostSlots() {
        return slots.lost();
    }

    /**
     * Returns the number of responses that were dropped, because another command had used the slot of their call.
     * Each such call has failed with {@code UNEXPECTED}.
     *
     * @return 0; another number shows a defect of this library
     */
    public int droppedResponses() {
        return slots.mismatches();
    }

    /**
     * Returns a future that completes when the process of this worker exits without being closed.
     * Commands fail with the same cause from then on.
     *
     * @return a future of the exit, which the completion executor completes; it is cancelled if this
     *         worker is closed first
     */
    public CompletableFuture<WorkerExit> onExit() {
        return engine.follow(exited, exit -> {});
    }

    /**
     * Submits a command and waits for its answer. Blocks for at most the
     * {@linkplain WorkerConfiguration#submitTimeout() submit timeout} (30 s by default) until a slot is
     * free, then for at most the call timeout of the {@link Urom} (30 s by default).
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, which is packed by the current thread
     * @return the answer, unpacked by the current thread
     * @throws IllegalStateException if this worker is closed, also while waiting, or the current
     *         thread is the engine thread
     * @throws IllegalArgumentException if the command does not fit into a message
     * @throws DocaException if the command fails, with {@code TIME_OUT} if there is no answer in
     *         time, {@code AGAIN} if no slot became free in time, {@code NOT_FOUND} if the worker
     *         was started without the plugin, {@code CONNECTION_RESET} if its process has exited
     * @throws StackOverflowError if the stack is nearly exhausted; the command was not sent
     * @throws InterruptedException if the current thread is interrupted before or while waiting,
     *         which takes effect within 20 ms and cancels the command
     */
    public <C, R> R call(Offload<C, R> offload, C command) throws InterruptedException {
        return callBy(null, offload, command);
    }

    /**
     * Submits a command with options and waits for its answer. Blocks for at most the timeout of the options, or as
     * {@link #call(Offload, Object)} does.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, which is packed by the current thread
     * @param options the options of the command
     * @return as {@link #call(Offload, Object)}, which throws the same exceptions
     * @throws InterruptedException if the current thread is interrupted before or while waiting
     */
    public <C, R> R call(Offload<C, R> offload, C command, CallOptions options) throws InterruptedException {
        return callBy(options.deadline(), offload, command);
    }

    /** Submits a command and waits for its answer until a deadline, or for the call timeout. */
    <C, R> R callBy(@Nullable Deadline deadline, Offload<C, R> offload, C command) throws InterruptedException {
        requireCaller();
        var ticket = slots.tryTake();
        var end = deadline;
        if (ticket == NONE) {
            end = deadline != null ? deadline : calls.usualDeadline(); // includes the wait for a slot
            var nanoseconds = deadline != null ? deadline.remaining() : Math.min(submitNanos, end.remaining());
            if (Thread.currentThread().isVirtual()) {
                return callQueued(nanoseconds, end, offload, command);
            }
            ticket = waitForSlot(nanoseconds);
        }
        CommandEvent event = null;
        ParkedCall parked;
        try {
            requireOpen();
            var slot = slots.slot(ticket);
            pack(slot, offload, command);
            event = CommandEvent.begin(id, slot.plugin(), slot.length());
            parked = calls.call(slot, end);
            if (parked == null) {
                if (event != null) {
                    slot.record(event, true);
                    event = null;
                }
                return answer(slot, offload);
            }
            ticket = NONE; // the engine thread releases the slot
            var outcome = calls.await(parked, end);
            if (event != null) {
                event.end(outcome.error().name(), outcome.response().byteSize());
                event = null;
            }
            return answer(outcome, offload);
        } finally {
            if (ticket != NONE) {
                slots.release(ticket);
            }
            if (event != null) {
                event.end(CommandEvent.ABANDONED, 0);
            }
            if (CommandSlots.isYieldDue(ticket)) {
                Thread.yield();
            }
        }
    }

    /** Queues the command of a virtual thread, which is submitted whether or not that can run. */
    private <C, R> R callQueued(long nanoseconds, Deadline deadline, Offload<C, R> offload, C command)
            throws InterruptedException {
        var plugin = plugin(offload).id();
        var packed = slots.pack(payload -> requireFit(pack(offload, command, payload)));
        var event = new BackPressureEvent();
        event.begin();
        var inTime = false;
        CommandEnd end;
        try {
            end = calls.callQueued(offload, plugin, type(command), packed, nanoseconds, deadline);
            inTime = end != null;
        } finally {
            event.end(id, slots.size(), inTime);
        }
        if (end == null) {
            throw noSlot();
        }
        return answer(end, offload);
    }

    private void requireCaller() throws InterruptedException {
        engine.requireCaller();
        requireOpen();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * Submits commands and waits until all of them are answered. This is faster than a call per command,
     * because commands are submitted and completed in parts while the worker executes others. All free
     * slots are used. Blocks as {@link #call(Offload, Object)} does, for each part.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param commands the commands
     * @return the answers, in the order of the commands
     * @throws DocaException if a command fails: the first failure in the order of the commands; the
     *         worker may have executed later commands
     * @throws InterruptedException if the current thread is interrupted before or while waiting
     */
    public <C, R> List<R> callAll(Offload<C, R> offload, List<? extends C> commands) throws InterruptedException {
        return callAllBy(null, offload, commands);
    }

    /**
     * Submits commands with options and waits until all of them are answered. Blocks for at most the timeout of the
     * options, which covers all commands together, or as {@link #callAll(Offload, List)} does.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param commands the commands
     * @param options the options of all commands
     * @return as {@link #callAll(Offload, List)}, which throws the same exceptions
     * @throws InterruptedException if the current thread is interrupted before or while waiting
     */
    public <C, R> List<R> callAll(Offload<C, R> offload, List<? extends C> commands, CallOptions options)
            throws InterruptedException {
        return callAllBy(options.deadline(), offload, commands);
    }

    private <C, R> List<R> callAllBy(@Nullable Deadline deadline, Offload<C, R> offload, List<? extends C> commands)
            throws InterruptedException {
        requireCaller();
        var answers = new ArrayList<R>(commands.size());
        var batch = batch(commands.size(), deadline);
        var next = 0; // the next command to be submitted
        try {
            while (answers.size() < commands.size()) {
                if (batch.isEmpty() && batch.take(commands.size() - next) == 0) {
                    var nanoseconds = deadline != null ? deadline.remaining() : submitNanos;
                    if (Thread.currentThread().isVirtual()) {
                        var end = deadline != null ? deadline : calls.usualDeadline();
                        answers.add(callQueued(nanoseconds, end, offload, commands.get(next++)));
                        continue;
                    }
                    batch.add(waitForSlot(nanoseconds));
                }
                requireOpen();
                int part;
                do {
                    part = submit(batch, offload, commands, next, commands.size() - next);
                    next += part;
                } while (part > 0);
                if (!batch.isEmpty()) { // else this was closed meanwhile
                    answers.add(answer(batch, offload));
                }
            }
        } finally {
            batch.release();
        }
        return answers;
    }

    /** Creates a batch of at most this number of commands. */
    Batch batch(int commands, @Nullable Deadline deadline) {
        return new Batch(calls, slots, id, commands, deadline);
    }

    /**
     * Submits commands of a batch, at most up to the limit, in free slots.
     *
     * @return the number of commands; 0 also if this accepts none
     */
    <C> int submit(Batch batch, Offload<C, ?> offload, List<? extends C> commands, int first, int limit) {
        var part = batch.take(limit);
        if (!accepting) {
            batch.drop();
            return 0;
        }
        for (var i = 0; i < part; i++) {
            pack(batch.slot(i), offload, commands.get(first + i));
        }
        if (part > 0) {
            batch.submit();
        }
        return part;
    }

    /** Waits for the answer of the oldest command of a batch, and releases its slot. */
    <R> R answer(Batch batch, Offload<?, R> offload) throws InterruptedException {
        var slot = batch.await();
        if (slot == null) {
            var end = batch.awaitParked();
            var answer = answer(end, offload);
            batch.remove();
            return answer;
        }
        var answer = answer(slot, offload);
        batch.remove();
        return answer;
    }

    /**
     * Submits a command. Never blocks: if all slots are occupied, a copy of the command is queued after
     * the waiting threads and commands. The queue is unbounded; use {@link #trySubmit} to limit the
     * number of commands to the slots.
     *
     * <p>A thread that waits for the future, though not for one that depends on it, receives the answer as {@link #call}
     * does, and unpacks it. Actions that depend on the future run on the completion executor or, as with any
     * {@code CompletableFuture}, on a thread that adds them or waits when the future is done.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, which is packed before this method returns
     * @return a future of the answer, which fails with the exceptions of {@link #call(Offload, Object)},
     *         also if this worker is closed or the command cannot be packed
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command) {
        return submitBy(null, offload, command);
    }

    /**
     * Submits a command with options. Never blocks.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, which is packed before this method returns
     * @param options the options of the command
     * @return a future of the answer, as {@link #submit(Offload, Object)}
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command, CallOptions options) {
        return submitBy(options.deadline(), offload, command);
    }

    /** Submits a command, whose future fails at a deadline, or after the call timeout. */
    <C, R> CompletableFuture<R> submitBy(@Nullable Deadline deadline, Offload<C, R> offload, C command) {
        var answer = calls.answer(offload, failures);
        try {
            engine.requireStack();
            requireOpen();
            if (!submit(answer, deadline, offload, command)) {
                var plugin = plugin(offload).id();
                var packed = slots.pack(payload -> requireFit(pack(offload, command, payload)));
                calls.queue(answer, offload, plugin, type(command), packed, deadline);
            }
        } catch (Throwable e) { // other languages throw checked exceptions here
            answer.completeExceptionally(e);
        }
        return answer;
    }

    /** Submits a command if a slot is free. */
    private <C, R> boolean submit(
            PendingAnswer<R> answer, @Nullable Deadline deadline, Offload<C, R> offload, C command) {
        var ticket = slots.tryTake();
        if (ticket == NONE) {
            return false;
        }
        try {
            requireOpen();
            var slot = slots.slot(ticket);
            pack(slot, offload, command);
            calls.submit(slot, answer, deadline, CommandEvent.begin(id, slot.plugin(), slot.length()));
            ticket = NONE; // the engine thread releases the slot
        } finally {
            if (ticket != NONE) {
                slots.release(ticket);
            }
        }
        if (deadline != null) {
            answer.cancelIfOver(); // it may have passed before the submission
        }
        return true;
    }

    /**
     * Submits a command if a slot is free and no earlier command of this thread waits for one. Never blocks.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, which is packed before this method returns
     * @return a future of the answer, as {@link #submit(Offload, Object)}; empty if all slots are occupied
     * @throws IllegalStateException if this worker is closed
     * @throws IllegalArgumentException if the command does not fit into a message
     * @throws DocaException with {@code NOT_FOUND} if the worker was started without the plugin
     * @throws StackOverflowError if the stack is nearly exhausted; the command was not sent
     */
    public <C, R> Optional<CompletableFuture<R>> trySubmit(Offload<C, R> offload, C command) {
        return trySubmitBy(null, offload, command);
    }

    /**
     * Submits a command with options if a slot is free and no earlier command of this thread waits for one. Never blocks.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, which is packed before this method returns
     * @param options the options of the command
     * @return as {@link #trySubmit(Offload, Object)}, which throws the same exceptions
     */
    public <C, R> Optional<CompletableFuture<R>> trySubmit(Offload<C, R> offload, C command, CallOptions options) {
        return trySubmitBy(options.deadline(), offload, command);
    }

    /** Submits a command if a slot is free. Its future fails at a deadline, or after the call timeout. */
    <C, R> Optional<CompletableFuture<R>> trySubmitBy(@Nullable Deadline deadline, Offload<C, R> offload, C command) {
        engine.requireStack();
        requireOpen();
        var answer = calls.answer(offload, failures);
        return submit(answer, deadline, offload, command) ? Optional.of(answer) : Optional.empty();
    }

    /** Waits for a slot, for at most this time. Returns its ticket, which the caller releases. */
    private long waitForSlot(long nanoseconds) throws InterruptedException {
        var event = new BackPressureEvent();
        event.begin();
        long ticket;
        try {
            ticket = slots.take(nanoseconds);
        } catch (InterruptedException e) {
            event.end(id, slots.size(), false);
            throw e;
        }
        try {
            event.end(id, slots.size(), ticket != NONE);
        } catch (Throwable e) {
            if (ticket != NONE) {
                slots.release(ticket);
            }
            throw e;
        }
        if (ticket == NONE) {
            throw noSlot();
        }
        return ticket;
    }

    private RuntimeException noSlot() {
        return !accepting
                ? new Closing.ClosedException(this)
                : new DocaException(
                        DocaError.AGAIN,
                        "doca_urom_worker_cmd_task_allocate",
                        slots.occupied(),
                        "All " + slots.size()
                                + " slots were occupied until the timeout: submit fewer commands at a time, or"
                                + " configure more tasks.");
    }

    private static Class<?> type(@Nullable Object command) {
        return command == null ? Void.class : command.getClass();
    }

    private <C> void pack(CommandSlot slot, Offload<C, ?> offload, C command) {
        if (!slot.isFor(offload)) {
            slot.setKind(offload, plugin(offload).id());
        }
        slot.prepare(requireFit(pack(offload, command, slot.payload())), type(command));
    }

    private <C> long pack(Offload<C, ?> offload, C command, MemorySegment payload) {
        try {
            return offload.pack(command, payload);
        } catch (CodecException e) {
            if (e.lacksRoom()) {
                throw new IllegalArgumentException(
                        "A command for " + this + " does not fit: " + e.getMessage() + ". " + RAISE_SIZE, e);
            }
            throw e;
        }
    }

    private long requireFit(long length) {
        if (length < 0 || length > maxCommandSize()) {
            throw new IllegalArgumentException("A command for " + this + " does not fit: it has " + length
                    + " bytes of at most " + maxCommandSize() + ". " + RAISE_SIZE);
        }
        return length;
    }

    private <R> R answer(CommandSlot slot, Offload<?, R> offload) {
        if (!slot.isSuccess()) {
            throw failure(slot.end());
        }
        return offload.unpack(slot.response());
    }

    private <R> R answer(CommandEnd end, Offload<?, R> offload) {
        if (!end.error().isSuccess()) {
            throw failure(end);
        }
        return offload.unpack(end.response());
    }

    /** Returns why a command failed. Blocks for at most one second, to query the exit on the engine thread. */
    private RuntimeException failure(CommandEnd end) {
        if (closed) {
            return closedException();
        }
        var response = end.response().toArray(ValueLayout.JAVA_BYTE);
        var lost = end.error() == DocaError.CONNECTION_RESET || end.refused() && end.error() == DocaError.BAD_STATE;
        if (lost) {
            return lost(response);
        }
        if (end.refused()) {
            return new DocaException(
                    end.error(), "doca_task_submit", toString(), end.error().advice(), response);
        }
        return DocaException.of(
                end.error(),
                "doca_task_submit",
                this + ": the plugin \""
                        + end.plugin() + "\" refused a command (" + end.command() + ", " + end.length()
                        + " bytes)",
                FailureText.decode(response)
                        .map(PrintableLines::printable)
                        .orElse("Check the command against the documentation of the plugin. Its response is in the"
                                + " exception."),
                response);
    }

    private DocaException lost(byte[] response) {
        return new DocaException(
                DocaError.CONNECTION_RESET,
                "doca_task_submit",
                toString(),
                exit().map(exit -> "The " + exit + ". Start another worker.")
                        .orElse(DocaError.CONNECTION_RESET.advice()),
                response);
    }

    /**
     * Returns the exit of the process, which the context records before it fails a command. Marks this worker as
     * not running.
     */
    private Optional<WorkerExit> exit() {
        running = false;
        if (hasExited()) {
            return Optional.of(exited.resultNow());
        }
        if (engine.isEngineThread()) {
            return exitInEngine();
        }
        var deadline = Deadline.in(LONGEST_EXIT_WAIT);
        try {
            return engine.await(
                    engine.ask(new CompletableFuture<>(), exit -> exit.complete(exitInEngine()), deadline, this),
                    deadline,
                    this);
        } catch (RuntimeException e) {
            return Optional.empty(); // the exit could not be queried
        }
    }

    private boolean hasExited() {
        return exited.isDone() && !exited.isCompletedExceptionally();
    }

    private Optional<WorkerExit> exitInEngine() {
        var exit = context.exit();
        exit.ifPresent(exited::complete);
        return exit;
    }

    /** Requires that this worker was started with the plugin of an offload. Returns the plugin. */
    PluginInfo plugin(Offload<?, ?> offload) {
        var plugin = plugins.get(offload.plugin());
        if (plugin == null) {
            throw new DocaException(
                    DocaError.NOT_FOUND,
                    "doca_urom_worker_set_plugins",
                    toString(),
                    "The worker was started without the plugin \"" + offload.plugin() + "\"; it has: "
                            + String.join(", ", plugins.keySet()) + ".");
        }
        return plugin.requireVersion(offload.version());
    }

    /** Returns the native context, for the engine thread. */
    UromWorker context() {
        return context;
    }

    Engine engine() {
        return engine;
    }

    /** Returns this process as a client of the worker's RDMO plugin. */
    RdmoHost rdmo() {
        return rdmo;
    }

    /**
     * Returns the receives of the sandbox plugin, which all users of this worker share because they
     * occupy its slots.
     *
     * @param submitter submits a receive to this worker; ignored except by the first call
     */
    synchronized PendingReceives receives(Function<Receive, CompletableFuture<Received>> submitter) {
        if (receives == null) {
            receives = new PendingReceives(engine, this, slots.size(), submitter);
        }
        return receives;
    }

    /** Keeps a region open until this is closed. */
    void use(HostRegion region) {
        requireOpen();
        RegionUsers.add(region, this, this::isOpen);
    }

    /** Returns the open objects that depend on workers. */
    Dependents dependents() {
        return dependents;
    }

    void requireOpen() {
        if (!accepting) {
            throw new Closing.ClosedException(this);
        }
    }

    /** Requires that this accepts commands. For the engine thread. */
    void requireRunning() {
        requireOpen();
        if (!running) {
            throw lost(new byte[0]);
        }
    }

    /** Returns whether this is not completely closed. */
    boolean isOpen() {
        return !closing.isEnded();
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }

    /** Handles the end of the context's running state, on the engine thread. Its start may be delivered late. */
    private void stateChanged(ContextState next) {
        if (next == ContextState.RUNNING) {
            return;
        }
        running = false;
        if (next == ContextState.IDLE) {
            context.exit().ifPresentOrElse(exited::complete, () -> exited.cancel(false));
        }
    }

    /**
     * Closes this worker: commands that have not completed fail, and its process exits unless other
     * connections use it. No effect if this is closed. Blocks for at most one minute. Not
     * interruptible: the interrupt status is preserved.
     *
     * @throws IllegalStateException if an open {@link Domain} or {@link RdmoTarget} uses this worker,
     *         or the current thread is the engine thread; nothing is changed
     * @throws DocaException with {@code TIME_OUT} if it takes longer, for example because a thread packs a
     *         command; the message names the thread. Call this method again
     */
    @Override
    public void close() {
        engine.requireOtherThread();
        dependents.requireNone(this, () -> accepting = false);
        engine.await(beginClose().copy(), Deadline.in(Deadline.OPERATION_TIMEOUT), closing());
    }

    /**
     * Rejects commands that are not sent with a {@link Closing.ClosedException}. Closes this once the callers of all
     * others have their answers or have given up. Never blocks.
     *
     * @return a future that completes when this is closed
     */
    CompletableFuture<Void> retire() {
        accepting = false;
        try {
            engine.execute(() -> engine.when(() -> closed || !slots.hasCallers(), this::closeSlots));
            slots.retire();
        } catch (IllegalStateException e) {
            closing.ended(); // the engine has closed the context
        }
        return closing.attempt();
    }

    /** Runs an action on the engine thread when the process has exited, or this closes. */
    void whenEnded(Runnable action) {
        exited.whenComplete((exit, cancelled) -> action.run());
    }

    /** Describes why this does not run. */
    String exitText() {
        return hasExited() ? "the " + exited.resultNow() : "its connection was lost";
    }

    /** Returns the number of commands in flight. */
    int inFlight() {
        return slots.inFlight();
    }

    /** Returns the number of commands in flight whose callers have given up. */
    int abandoned() {
        return slots.abandoned();
    }

    /** Returns the argument of the first call of {@link #hasAnsweredNone}. */
    long[] noCommands() {
        var tickets = new long[slots.size()];
        Arrays.fill(tickets, NONE);
        return tickets;
    }

    /** Returns whether commands were in flight at the last call with this array, and all of them still are. */
    boolean hasAnsweredNone(long[] tickets) {
        return slots.hasAnsweredNone(tickets);
    }

    /** Requires that the current thread may wait for this worker. */
    void requireOtherThread() {
        engine.requireOtherThread();
    }

    /** Names the close of this in a time-out, with the threads that it waits for. */
    Object closing() {
        return new Object() {
            @Override
            public String toString() {
                var owners = slots.owners();
                return "the close of " + Worker.this
                        + (owners.isEmpty() ? "" : ", whose slots the threads " + owners + " use,");
            }
        };
    }

    /** Begins to close this. Returns a future that completes when it is closed. */
    CompletableFuture<Void> beginClose() {
        accepting = false;
        closed = true;
        return closeSlots();
    }

    private CompletableFuture<Void> closeSlots() {
        var attempt = closing.attempt();
        if (!attempt.isDone()) {
            try {
                slots.close();
                engine.execute(this::closeContext);
            } catch (IllegalStateException e) {
                closing.ended(); // the engine has closed the context
            }
        }
        return attempt;
    }

    private void closeContext() {
        if (stopping || closing.isEnded()) {
            return;
        }
        try {
            if (context.isOpen()) {
                context.stop();
            }
            stopping = true;
            engine.when(
                    () -> !context.isOpen()
                            || slots.closeSlots() && context.state() == ContextState.IDLE && !dependents.has(this),
                    this::destroyContext);
        } catch (RuntimeException | Error e) {
            closing.failed(e);
        }
    }

    /** Destroys the context. Steps that an earlier attempt has done have no effect. */
    private void destroyContext() {
        try {
            engine.remove(slots);
            context.close();
            exited.cancel(false);
            rdmo.workerClosed();
            closing.ended();
        } catch (RuntimeException | Error e) {
            stopping = false;
            closing.failed(e);
        }
    }

    @Override
    public String toString() {
        return "worker " + WorkerId.toString(id);
    }
}

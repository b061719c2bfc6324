// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import dev.jurom.plugin.Offload;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.CommandTaskPool;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A worker that any thread may give commands to, virtual threads too.
 *
 * <p>A command takes one of the worker's task slots until it completes; when all are taken,
 * submitting waits ({@link #submit}) or says so ({@link #trySubmit}). A future that is cancelled or
 * times out ends the waiting alone: its slot is free again when the command has completed.
 *
 * <p>Futures complete in the thread that drives the engine: what depends on them must be quick, or
 * be told to run elsewhere ({@code thenApplyAsync} and its kin).
 */
public final class Worker implements AutoCloseable {

    private final Urom urom;
    private final EngineDriver driver;
    private final UromWorker context;
    private final CommandTaskPool pool;
    private final FreeSlots slots;
    private final Map<String, PluginInfo> plugins;
    private final long id;
    private final long submitNanos;
    private boolean slotsTaken; // for good: the leader's
    private volatile boolean closed;
    private volatile boolean running = true;

    /** Made by the leader when the context has begun to run. */
    Worker(Urom urom, EngineDriver driver, UromWorker context, Map<String, PluginInfo> plugins,
            WorkerConfiguration configuration) {
        this.urom = urom;
        this.driver = driver;
        this.context = context;
        this.plugins = plugins;
        this.id = context.id();
        this.submitNanos = Timeout.nanos(configuration.submitTimeout());
        this.pool = context.commandTaskPool(plugins.values().iterator().next().id(),
                configuration.tasks());
        var made = new ArrayList<CommandSlot>();
        for (var task : pool.tasks()) {
            var slot = new CommandSlot(this, task, made.size());
            task.onCompletion(done -> driver.commands().completed(slot));
            made.add(slot);
        }
        slots = new FreeSlots(made);
    }

    /**
     * The worker's id.
     *
     * @return the same for life
     */
    public long id() {
        return id;
    }

    /**
     * Whether commands can be given to this worker.
     *
     * @return false once it is closed, or its process has ended
     */
    public boolean isRunning() {
        return running && !closed;
    }

    /**
     * Gives this worker a command and does not wait for the answer. When all slots are taken, waits
     * for one as long as the configuration says.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send; it is packed before this returns
     * @return the answer to come; it fails with a {@link DocaException} if the command does
     * @throws IllegalStateException if this worker is closed
     * @throws DocaException with {@code AGAIN} if no slot became free in time, {@code NOT_FOUND} if
     *         the worker does not have the plugin
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command) {
        return submit(take(submitNanos), offload, command);
    }

    /**
     * Gives this worker a command and does not wait for the answer. When all slots are taken, waits
     * for one.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send; it is packed before this returns
     * @param timeout how long to wait for a slot
     * @return the answer to come; it fails with a {@link DocaException} if the command does
     * @throws IllegalStateException if this worker is closed
     * @throws DocaException with {@code AGAIN} if no slot became free in time, {@code NOT_FOUND} if
     *         the worker does not have the plugin
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command, Duration timeout) {
        return submit(take(Timeout.nanos(timeout)), offload, command);
    }

    /**
     * Gives this worker a command if a slot is free now.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send; it is packed before this returns
     * @return the answer to come, or empty if all slots are taken
     * @throws IllegalStateException if this worker is closed
     * @throws DocaException with {@code NOT_FOUND} if the worker does not have the plugin
     */
    public <C, R> Optional<CompletableFuture<R>> trySubmit(Offload<C, R> offload, C command) {
        requireOpen();
        var slot = slots.tryTake();
        return slot == null ? Optional.empty()
                : Optional.of(submit(usable(slot), offload, command));
    }

    private <C, R> CompletableFuture<R> submit(CommandSlot slot, Offload<C, R> offload, C command) {
        var future = fill(slot, offload, command);
        driver.submit(slot);
        return future;
    }

    /**
     * Gives this worker a command and waits for the answer. A platform thread drives the progress
     * engine itself meanwhile, when nobody else does.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send
     * @return the answer
     * @throws IllegalStateException if this worker is closed, also meanwhile
     * @throws DocaException if the command fails
     */
    public <C, R> R call(Offload<C, R> offload, C command) {
        return call(offload, command, Long.MAX_VALUE);
    }

    /**
     * Gives this worker a command and waits for the answer, for some time.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send
     * @param timeout how long to wait at most
     * @return the answer
     * @throws IllegalStateException if this worker is closed, also meanwhile
     * @throws DocaException if the command fails, with {@code TIME_OUT} if there is no answer in
     *         time; the slot is free again when the command has completed
     */
    public <C, R> R call(Offload<C, R> offload, C command, Duration timeout) {
        return call(offload, command, System.nanoTime() + Timeout.nanos(timeout));
    }

    private <C, R> R call(Offload<C, R> offload, C command, long deadline) {
        var slot = take(deadline == Long.MAX_VALUE ? submitNanos
                : Math.min(submitNanos, Math.max(0, deadline - System.nanoTime())));
        var future = fill(slot, offload, command);
        driver.submitAndAwait(slot, future, deadline);
        return future.answer(deadline, this);
    }

    private <C, R> CommandFuture<R> fill(CommandSlot slot, Offload<C, R> offload, C command) {
        try {
            slot.plugin = plugin(offload).id();
            slot.length = offload.pack(command, slot.payload);
            if (slot.length < 0 || slot.length > slot.payload.byteSize()) {
                throw new IllegalArgumentException("A command of " + slot.length
                        + " bytes does not fit: " + slot.payload.byteSize()
                        + " is the most that the maximum message size allows");
            }
            var future = new CommandFuture<R>(driver, offload);
            slot.future = future;
            return future;
        } catch (RuntimeException | Error e) {
            give(slot);
            throw e;
        }
    }

    private PluginInfo plugin(Offload<?, ?> offload) {
        var plugin = plugins.get(offload.plugin());
        if (plugin == null) {
            throw new DocaException(DocaError.NOT_FOUND, "doca_urom_worker_set_plugins", toString(),
                    "The worker was started without the plugin \"" + offload.plugin()
                    + "\"; it has: " + String.join(", ", plugins.keySet()) + ".");
        }
        return plugin;
    }

    private CommandSlot take(long nanoseconds) {
        requireOpen();
        var slot = slots.tryTake();
        if (slot == null) {
            slot = waitForSlot(nanoseconds);
        }
        return usable(slot);
    }

    /** A slot that was taken, unless this was closed meanwhile: its memory is gone then. */
    private CommandSlot usable(CommandSlot slot) {
        if (closed) {
            give(slot);
            throw closedException();
        }
        return slot;
    }

    private CommandSlot waitForSlot(long nanoseconds) {
        var event = new BackPressureEvent();
        event.begin();
        CommandSlot slot = null;
        try {
            slot = driver.isLeader() ? leadUntilSlot(nanoseconds) : slots.take(nanoseconds);
            if (slot == null) {
                requireOpen();
                throw new DocaException(DocaError.AGAIN, "doca_urom_worker_cmd_task_allocate",
                        toString(), "All " + slots.size() + " commands are in flight, and none"
                        + " completed in time: submit less, or configure more tasks.");
            }
            return slot;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DocaException(DocaError.AGAIN, "doca_urom_worker_cmd_task_allocate",
                    toString(), "The thread was interrupted while it waited for a free task.");
        } finally {
            record(event, slot != null);
        }
    }

    private void record(BackPressureEvent event, boolean inTime) {
        event.end();
        if (event.shouldCommit()) {
            event.worker = id;
            event.commands = slots.size();
            event.inTime = inTime;
            event.commit();
        }
    }

    /** For what depends on an answer: none becomes free unless the calling thread sees to it. */
    private CommandSlot leadUntilSlot(long nanoseconds) {
        var deadline = System.nanoTime() + nanoseconds;
        var slot = slots.tryTake();
        while (slot == null && !closed && deadline - System.nanoTime() > 0) {
            driver.leadOn(() -> slots.isAnyFree() || closed, deadline);
            slot = slots.tryTake();
        }
        return slot;
    }

    /** Makes a slot free. */
    void give(CommandSlot slot) {
        slots.give(slot);
        if (closed) {
            driver.wakeSleepingLeader(); // it may have been the last one
        }
    }

    /** Why a command has failed. */
    RuntimeException failure(CommandTask task) {
        return closed ? closedException()
                : new DocaException(task.status(), "doca_task_submit", toString(), task.advice());
    }

    /** The process has ended, or the context was stopped. */
    void ended() {
        running = false;
    }

    void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }

    /**
     * Closes this worker: commands that have not completed fail, and its process ends unless others
     * are connected to it. No effect if it is closed.
     */
    @Override
    public void close() {
        if (urom.forget(this)) {
            closed = true;
            urom.awaitErrand(beginClose());
        }
    }

    /** Begins to stop the context; done when it is closed. */
    CompletableFuture<Void> beginClose() {
        closed = true;
        var done = new CompletableFuture<Void>();
        driver.control(() -> {
            try {
                context.stop();
                driver.when(this::isQuiet, () -> finishClose(done));
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** Whether no thread has a slot any more, and the context is idle. */
    private boolean isQuiet() {
        slotsTaken = slotsTaken || slots.tryTakeAll();
        return slotsTaken && context.state() == ContextState.IDLE;
    }

    private void finishClose(CompletableFuture<Void> done) {
        try {
            pool.close();
            context.close();
            slots.giveAll(); // who still waits for one sees that this is closed
            done.complete(null);
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
    }

    @Override
    public String toString() {
        return "worker " + WorkerId.toString(id);
    }
}

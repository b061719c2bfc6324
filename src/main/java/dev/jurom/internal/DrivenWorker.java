// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.FutureView;
import dev.jurom.core.internal.Timeout;
import dev.jurom.plugin.Offload;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.CommandTaskPool;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerExit;
import dev.jurom.urom.WorkerId;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A worker context that the leader of a driver has, on behalf of any thread that gives it commands.
 * A command takes one of its slots until it completes. The facade's {@code Worker} stands for one,
 * and says what its callers may rely on.
 */
public final class DrivenWorker {

    private final DrivenService service;
    private final EngineDriver driver;
    private final UromWorker context;
    private final CommandTaskPool pool;
    private final FreeSlots slots;
    private final BackPressure backPressure;
    private final RdmoHost rdmo = new RdmoHost(this);
    private final Map<String, PluginInfo> plugins;
    private final long id;
    private final long submitNanos;
    private boolean slotsTaken; // for good: the leader's
    private volatile boolean closed;
    private final CompletableFuture<WorkerExit> exited = new CompletableFuture<>();
    private volatile boolean running = true;
    private volatile @Nullable WorkerExit exit; // null: it runs, or was closed

    /** Made by the leader when the context has begun to run. */
    DrivenWorker(DrivenService service, UromWorker context, Map<String, PluginInfo> plugins,
            WorkerRequest request) {
        this.service = service;
        this.driver = service.driver();
        this.context = context;
        this.plugins = plugins;
        this.id = context.id();
        this.submitNanos = Timeout.nanos(request.submitTimeout());
        this.pool = context.commandTaskPool(plugins.values().iterator().next().id(),
                request.tasks());
        var made = new ArrayList<CommandSlot>();
        for (var task : pool.tasks()) {
            var slot = new CommandSlot(this, driver, task, made.size());
            task.onCompletion(done -> driver.commands().completed(slot));
            made.add(slot);
        }
        slots = new FreeSlots(made);
        backPressure = new BackPressure(this, driver, slots);
        driver.deadlines().add(this);
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

    DrivenService service() {
        return service;
    }

    /** The native context; for the leader. */
    UromWorker context() {
        return context;
    }

    /** This process as a client of the worker's RDMO plugin. */
    RdmoHost rdmo() {
        return rdmo;
    }

    /** Where its commands are, and those that are free. */
    FreeSlots slots() {
        return slots;
    }

    /**
     * Tells when the process ends.
     *
     * @return its end to come; cancelled when this is closed first
     */
    public CompletableFuture<WorkerExit> onExit() {
        return FutureView.of(exited);
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Packs and queues a command; waits for a slot as long as was asked for when this started.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send
     * @return the answer to come
     * @throws InterruptedException if the calling thread is interrupted while it waits
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command)
            throws InterruptedException {
        return submit(take(submitNanos), offload, command, null);
    }

    /**
     * Packs and queues a command that has a time of its own.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send
     * @param timeout how long to wait for a slot and the answer together
     * @return the answer to come
     * @throws InterruptedException if the calling thread is interrupted while it waits for a slot
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command, Duration timeout)
            throws InterruptedException {
        var deadline = Deadline.in(timeout);
        return submit(take(deadline.remaining()), offload, command, deadline);
    }

    /**
     * Packs and queues a command if a slot is free now.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send
     * @return the answer to come, or null if no slot is free
     */
    public <C, R> @Nullable CompletableFuture<R> trySubmit(Offload<C, R> offload, C command) {
        requireOpen();
        var slot = slots.tryTake();
        return slot == null ? null : submit(usable(slot), offload, command, null);
    }

    private <C, R> CompletableFuture<R> submit(CommandSlot slot, Offload<C, R> offload, C command,
            @Nullable Deadline deadline) {
        pack(slot, offload, command);
        var future = new DrivenFuture<R>(driver, deadline);
        slot.expect(future);
        driver.submit(slot, deadline);
        driver.deadlines().failIfOver(future, future.turn());
        return future;
    }

    /**
     * Packs and queues a command and waits for its answer.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send
     * @return the answer
     * @throws InterruptedException if the calling thread is interrupted meanwhile
     */
    public <C, R> R call(Offload<C, R> offload, C command) throws InterruptedException {
        return call(take(submitNanos), offload, command, null);
    }

    /**
     * Packs and queues a command that has a time of its own, and waits for its answer.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send
     * @param timeout how long to wait for a slot and the answer together
     * @return the answer
     * @throws InterruptedException if the calling thread is interrupted meanwhile
     */
    public <C, R> R call(Offload<C, R> offload, C command, Duration timeout)
            throws InterruptedException {
        var deadline = Deadline.in(timeout);
        return call(take(deadline.remaining()), offload, command, deadline);
    }

    @SuppressWarnings("unchecked") // the offload has made it
    private <C, R> R call(CommandSlot slot, Offload<C, R> offload, C command,
            @Nullable Deadline deadline) throws InterruptedException {
        pack(slot, offload, command);
        slot.callReply.begin(deadline);
        slot.expect(slot.callReply);
        return (R) slot.callReply.call(slot);
    }

    /** Packs a command into a slot, which is given back if that fails. */
    private <C> void pack(CommandSlot slot, Offload<C, ?> offload, C command) {
        try {
            if (!slot.isFor(offload)) {
                slot.setKind(offload, plugin(offload).id());
            }
            slot.length = offload.pack(command, slot.payload);
            if (slot.length < 0 || slot.length > slot.payload.byteSize()) {
                throw new IllegalArgumentException("A command of " + slot.length
                        + " bytes does not fit: " + slot.payload.byteSize()
                        + " is the most that the maximum message size allows");
            }
        } catch (Throwable e) { // other languages throw what is checked here
            give(slot);
            throw e;
        }
    }

    /**
     * Requires that this was started with what a kind of command needs.
     *
     * @param offload the kind of command
     * @throws DocaException with {@code NOT_FOUND} if it was not
     */
    public void requirePlugin(Offload<?, ?> offload) {
        plugin(offload);
    }

    private PluginInfo plugin(Offload<?, ?> offload) {
        var plugin = plugins.get(offload.plugin());
        if (plugin == null) {
            throw new DocaException(DocaError.NOT_FOUND, "doca_urom_worker_set_plugins", toString(),
                    "The worker was started without the plugin \"" + offload.plugin()
                    + "\"; it has: " + String.join(", ", plugins.keySet()) + ".");
        }
        return plugin.requireVersion(offload.version());
    }

    private CommandSlot take(long nanoseconds) throws InterruptedException {
        requireOpen();
        requireNotInterrupted();
        return usable(backPressure.take(nanoseconds));
    }

    private static void requireNotInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** A slot that was taken, unless this was closed meanwhile: its memory is gone then. */
    private CommandSlot usable(CommandSlot slot) {
        if (closed) {
            give(slot);
            throw closedException();
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
                : new DocaException(task.status(), "doca_task_submit", toString(), task.advice(),
                        task.response().toArray(ValueLayout.JAVA_BYTE));
    }

    /** The process has ended, or the context was stopped; inside a progress of the leader. */
    void ended() {
        running = false;
        exit = context.exit().orElse(null);
        if (context.onExit().isDone()) {
            driver.control(this::tellExit);
        }
    }

    private void tellExit() {
        context.onExit().whenComplete((end, cancelled) -> {
            if (end == null) {
                exited.cancel(false);
            } else {
                exited.complete(end);
            }
        });
    }

    /** Requires that a command can be handed over. */
    void requireRunning() {
        requireOpen();
        var end = exit;
        if (end != null) {
            throw new DocaException(DocaError.CONNECTION_RESET, "doca_task_submit", toString(),
                    "The " + end + ". Start another worker.");
        }
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
     * Closes this worker and waits until it is, for {@link DrivenService#PATIENCE} at most; no
     * effect if that was begun.
     *
     * @throws IllegalStateException if something stands on it; nothing is changed
     */
    public void close() {
        service.dependents().requireNone(this, () -> closed = true);
        if (service.forget(this)) {
            beginClose().awaitUninterrupted(Deadline.in(DrivenService.PATIENCE), this);
        }
    }

    /** Begins to stop the context; done when it is closed. */
    DrivenFuture<Void> beginClose() {
        closed = true;
        var done = new DrivenFuture<Void>(driver, null);
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

    /** Whether no thread has a slot any more, nothing stands on this, and the context is idle. */
    private boolean isQuiet() {
        slotsTaken = slotsTaken || slots.takeAllForGood();
        return slotsTaken && context.state() == ContextState.IDLE
                && !service.dependents().has(this);
    }

    private void finishClose(CompletableFuture<Void> done) {
        try {
            pool.close();
            context.close();
            driver.deadlines().remove(this);
            exited.cancel(false);
            slots.giveAll(); // who still waits for one sees that this is closed
            rdmo.workerClosed();
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

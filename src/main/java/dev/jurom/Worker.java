// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaException;
import dev.jurom.internal.DrivenWorker;
import dev.jurom.plugin.Offload;
import dev.jurom.urom.WorkerExit;
import java.time.Duration;
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

    private final DrivenWorker worker;

    Worker(DrivenWorker worker) {
        this.worker = worker;
    }

    /**
     * The worker's id.
     *
     * @return the same for life
     */
    public long id() {
        return worker.id();
    }

    /**
     * Whether commands can be given to this worker.
     *
     * @return false once it is closed, or its process has ended
     */
    public boolean isRunning() {
        return worker.isRunning();
    }

    /**
     * Tells when the process of this worker ends without having been told to, how and when. Its
     * commands fail with the same words.
     *
     * @return the end to come; cancelled when this worker is closed first. It completes in the
     *         thread that drives the engine
     */
    public CompletableFuture<WorkerExit> onExit() {
        return worker.onExit();
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
        return worker.submit(offload, command);
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
        return worker.submit(offload, command, timeout);
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
        return Optional.ofNullable(worker.trySubmit(offload, command));
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
        return worker.call(offload, command);
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
        return worker.call(offload, command, timeout);
    }

    /**
     * Closes this worker: commands that have not completed fail, and its process ends unless others
     * are connected to it. No effect if it is closed.
     */
    @Override
    public void close() {
        worker.close();
    }

    @Override
    public String toString() {
        return worker.toString();
    }
}

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
 * <p>A command has a deadline: the configuration's
 * {@linkplain UromConfiguration.Builder#callTimeout call timeout}, or the time that it is given,
 * which is for the wait for a slot and for the answer together. Past that its future fails with
 * {@code TIME_OUT}, whoever waits for it: {@code join} ends too.
 *
 * <p>Futures complete in the thread that drives the engine: what depends on them must be quick, or
 * be told to run elsewhere ({@code thenApplyAsync} and its kin). It may wait for other futures of
 * this package, of this worker's or of another {@link Urom}'s: another thread drives the engine
 * meanwhile.
 */
public final class Worker implements AutoCloseable {

    private final DrivenWorker worker;

    Worker(DrivenWorker worker) {
        this.worker = worker;
    }

    DrivenWorker driven() {
        return worker;
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
     * for one as long as the worker's configuration says (30 s).
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send; it is packed before this returns
     * @return the answer to come; it fails with a {@link DocaException} if the command does, which
     *         has {@linkplain DocaException#response() what the plugin answered}, with
     *         {@code TIME_OUT} at the deadline
     * @throws IllegalStateException if this worker is closed
     * @throws DocaException with {@code AGAIN} if no slot became free in time: the command was not
     *         sent; {@code NOT_FOUND} if the worker does not have the plugin
     * @throws InterruptedException if the calling thread is interrupted while it waits, or was
     *         before: the command was not sent
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command)
            throws InterruptedException {
        return worker.submit(offload, command);
    }

    /**
     * Gives this worker a command that has a time of its own, and does not wait for the answer.
     * When all slots are taken, waits for one, no longer than that.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send; it is packed before this returns
     * @param timeout for a slot and the answer together
     * @return the answer to come; it fails with a {@link DocaException} if the command does, with
     *         {@code TIME_OUT} at the deadline
     * @throws IllegalStateException if this worker is closed
     * @throws DocaException with {@code AGAIN} if no slot became free in time: the command was not
     *         sent; {@code NOT_FOUND} if the worker does not have the plugin
     * @throws InterruptedException if the calling thread is interrupted while it waits, or was
     *         before: the command was not sent
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command, Duration timeout)
            throws InterruptedException {
        return worker.submit(offload, command, timeout);
    }

    /**
     * Gives this worker a command if a slot is free now. Never waits: the one for what depends on
     * an answer.
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
     * Gives this worker a command and waits for the answer: for a slot as long as the worker's
     * configuration says (30 s), for the answer as long as the {@link Urom}'s does (30 s). A
     * platform thread drives the progress engine itself meanwhile, when nobody else does.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send
     * @return the answer
     * @throws IllegalStateException if this worker is closed, also meanwhile
     * @throws DocaException if the command fails, with {@code TIME_OUT} if there is no answer in
     *         time, {@code AGAIN} if no slot became free in time: the command was not sent then
     * @throws InterruptedException if the calling thread is interrupted meanwhile, within 20 ms, or
     *         was before; the slot is free again when the command has completed
     */
    public <C, R> R call(Offload<C, R> offload, C command) throws InterruptedException {
        return worker.call(offload, command);
    }

    /**
     * Gives this worker a command and waits for the answer, for some time.
     *
     * @param <C> what is sent
     * @param <R> what is answered
     * @param offload the kind of command
     * @param command what to send
     * @param timeout how long to wait at most, for a slot and the answer together
     * @return the answer
     * @throws IllegalStateException if this worker is closed, also meanwhile
     * @throws DocaException if the command fails, with {@code TIME_OUT} if there is no answer in
     *         time, {@code AGAIN} if no slot became free in time: the command was not sent then
     * @throws InterruptedException if the calling thread is interrupted meanwhile, within 20 ms, or
     *         was before; the slot is free again when the command has completed
     */
    public <C, R> R call(Offload<C, R> offload, C command, Duration timeout)
            throws InterruptedException {
        return worker.call(offload, command, timeout);
    }

    /**
     * Closes this worker: commands that have not completed fail, and its process ends unless others
     * are connected to it. No effect if it is closed. Takes a minute at most; an interrupt is kept
     * for later.
     *
     * @throws IllegalStateException if a {@link Domain} or a {@link RdmoTarget} is open that stands
     *         on it; the message names them, and nothing is changed
     * @throws DocaException with {@code TIME_OUT} if that was not enough: its memory is kept
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

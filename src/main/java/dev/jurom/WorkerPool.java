// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.internal.Closing.ClosedException;
import dev.jurom.internal.Deadline;
import dev.jurom.internal.Dependents;
import dev.jurom.internal.Engine;
import dev.jurom.plugin.Offload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Workers of the same plugins, of which each command uses the one with the fewest commands in flight.
 *
 * <p>A worker is replaced if its process has exited, or if it is busy: it has commands, and has answered none of them for
 * {@link PoolConfiguration#replaceAfter}. A replaced worker gets no further commands. Those that it has received end with
 * its answers or at their own deadlines; those that wait for one of its slots are sent to other workers. Then it is closed
 * in the background. Several starts that fail, and workers that exit soon after their start, are followed by pauses of at
 * most one second.
 *
 * <p>The commands of a process that exits fail with {@code CONNECTION_RESET}, as those of a {@link Worker} do: they may have
 * been executed. A command that is declared {@linkplain CallOptions#withIdempotent idempotent} is then repeated once, on
 * another worker, within the deadline of the first attempt.
 *
 * <p>If no worker runs, a command waits for the end of the next start. If that fails, too, the command fails with
 * {@code NOT_CONNECTED}.
 *
 * <p>If the workers have {@linkplain WorkerConfiguration.Builder#id ids}, processes with the same ids share them. Then the
 * replacement of a worker starts when the pool has closed the busy one, and connects to the same process as long as
 * another pool uses that.
 *
 * <p>This class is thread-safe; virtual threads may use it, too.
 */
public final class WorkerPool implements AutoCloseable {

    private final Engine engine;
    private final Dependents dependents;
    private final Dependents.Dependent membership;
    private final PoolWorkers workers;
    private final boolean counts; // commands of each worker, which the choice compares
    private final LongAdder repetitions = new LongAdder();

    /** Creates a pool without workers. */
    WorkerPool(
            BiFunction<WorkerConfiguration, Deadline, CompletableFuture<Worker>> starter,
            Engine engine,
            Dependents dependents,
            PoolConfiguration configuration) {
        this.engine = engine;
        this.dependents = dependents;
        this.membership = new Dependents.Dependent(this, worker -> false, () -> false, this::closeBy);
        this.workers = new PoolWorkers(starter, engine, configuration);
        this.counts = configuration.workers() > 1;
    }

    /** Begins to start the workers. */
    void begin() {
        dependents.add(membership, () -> {});
        workers.begin();
    }

    /** Waits until each worker runs or could not be started. Closes this if none runs. */
    void awaitStart() throws InterruptedException {
        try {
            workers.awaitStart(Deadline.in(Deadline.OPERATION_TIMEOUT));
        } catch (InterruptedException e) {
            Thread.ofPlatform()
                    .inheritInheritableThreadLocals(false)
                    .daemon()
                    .name("urom-pool-close")
                    .start(this::close);
            throw e;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Returns the number of workers that run.
     *
     * @return 0 to the configured number of workers
     */
    public int runningWorkers() {
        return workers.count();
    }

    /**
     * Returns the counters of each worker. Never blocks.
     *
     * @return the current counters, in a fixed order of the workers; after {@link #close}, the final ones
     */
    public List<PoolWorkerCounters> counters() {
        return workers.counters();
    }

    /**
     * Returns why a worker was replaced, or did not start. Never blocks.
     *
     * @return the last reason; empty if there was none since the start of this pool
     */
    public Optional<String> lastFailure() {
        return workers.lastFailure();
    }

    /**
     * Returns the number of repeated commands.
     *
     * @return the number of commands that were sent to another worker because the process of the first has exited
     */
    public long repetitions() {
        return repetitions.sum();
    }

    /**
     * Returns the size of the largest command that fits into a message to a worker.
     *
     * @return the maximum number of bytes that an {@link Offload} may pack
     */
    public long maxCommandSize() {
        return workers.maxCommandSize();
    }

    /**
     * Submits a command to the worker with the fewest commands in flight, and waits for its answer. Blocks as
     * {@link Worker#call(Offload, Object)}, and before for at most the
     * {@linkplain WorkerConfiguration#submitTimeout() submit timeout} if no worker runs.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, which is packed by the current thread
     * @return the answer, unpacked by the current thread
     * @throws IllegalStateException if this pool is closed, also while waiting, or the current thread is the engine thread
     * @throws IllegalArgumentException if the command does not fit into a message
     * @throws DocaException as {@link Worker#call(Offload, Object)}, and with {@code NOT_CONNECTED} if no worker runs
     * @throws InterruptedException if the current thread is interrupted before or while waiting, which takes effect
     *         within 20 ms and cancels the command
     */
    public <C, R> R call(Offload<C, R> offload, C command) throws InterruptedException {
        return callBy(null, false, offload, command);
    }

    /**
     * Submits a command with options to the worker with the fewest commands in flight, and waits for its answer. Blocks for
     * at most the timeout of the options, or as {@link #call(Offload, Object)} does.
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
        return callBy(options.deadline(), options.isIdempotent(), offload, command);
    }

    private <C, R> R callBy(@Nullable Deadline deadline, boolean repeats, Offload<C, R> offload, C command)
            throws InterruptedException {
        var begin = repeats ? System.nanoTime() : 0;
        var end = deadline;
        DocaException lost = null; // the failure of the first attempt
        while (true) {
            try {
                var member = workers.choose();
                if (member == null) {
                    member = workers.await(end);
                }
                return counts
                        ? member.call(end, offload, command)
                        : member.worker().callBy(end, offload, command);
            } catch (ClosedException e) {
                workers.requireOpen(); // else the worker was replaced meanwhile, and the command was not sent
            } catch (DocaException e) {
                if (lost != null) {
                    e.addSuppressed(lost);
                }
                if (lost != null || !repeats || !isLost(e)) {
                    throw e;
                }
                lost = e;
                end = deadline != null ? deadline : engine.callDeadline(begin);
                repetitions.increment();
            }
        }
    }

    /**
     * Submits commands to all workers, and waits until all of them are answered. All free slots are used. This is faster
     * than a call per command, as {@link Worker#callAll} is. Blocks as {@link #call(Offload, Object)} does, for each part.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param commands the commands
     * @return the answers, in the order of the commands
     * @throws DocaException if a command fails: the first failure in the order of the commands; workers may have executed
     *         later commands
     * @throws InterruptedException if the current thread is interrupted before or while waiting
     */
    public <C, R> List<R> callAll(Offload<C, R> offload, List<? extends C> commands) throws InterruptedException {
        return callAllBy(null, false, offload, commands);
    }

    /**
     * Submits commands with options to all workers, and waits until all of them are answered. Idempotent commands whose
     * worker has exited are repeated after the other commands in flight, so that no slot is occupied meanwhile. Blocks for
     * at most the timeout of the options, which covers all commands together, or as {@link #callAll(Offload, List)} does.
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
        return callAllBy(options.deadline(), options.isIdempotent(), offload, commands);
    }

    private <C, R> List<R> callAllBy(
            @Nullable Deadline deadline, boolean repeats, Offload<C, R> offload, List<? extends C> commands)
            throws InterruptedException {
        engine.requireCaller();
        workers.requireOpen();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        var answers = new ArrayList<R>(commands.size());
        var batch = new PoolBatch<C, R>(offload, commands, deadline);
        try {
            while (answers.size() < commands.size()) {
                if (batch.isEmpty()) {
                    batch.fill(workers.byLoad());
                }
                if (batch.isEmpty()) {
                    answers.add(callBy(deadline, repeats, offload, batch.next()));
                    continue;
                }
                try {
                    answers.add(batch.answer());
                } catch (DocaException e) {
                    if (!repeats || !isLost(e)) {
                        throw e;
                    }
                    repeatLost(batch, deadline, commands, answers);
                }
            }
        } finally {
            batch.release();
        }
        return answers;
    }

    /** Returns whether the process of the worker has exited before it answered. */
    private static boolean isLost(DocaException failure) {
        return failure.error() == DocaError.CONNECTION_RESET;
    }

    /** The end of a command of a batch: its answer, or the repetition. */
    private interface End<R> {
        R answer() throws InterruptedException;
    }

    /** Waits for all commands of a batch, whose oldest command was lost. Then it holds no slot, and lost commands are repeated. */
    private <C, R> void repeatLost(
            PoolBatch<C, R> batch, @Nullable Deadline deadline, List<? extends C> commands, List<R> answers)
            throws InterruptedException {
        var ends = new ArrayList<End<R>>();
        ends.add(lost(batch, deadline, commands.get(answers.size())));
        while (!batch.isEmpty()) {
            try {
                var answer = batch.answer();
                ends.add(() -> answer);
            } catch (DocaException e) {
                if (!isLost(e)) {
                    throw e;
                }
                ends.add(lost(batch, deadline, commands.get(answers.size() + ends.size())));
            }
        }
        for (var end : ends) {
            answers.add(end.answer());
        }
    }

    /** Removes the oldest command of a batch, which was lost. Returns its repetition. */
    private <C, R> End<R> lost(PoolBatch<C, R> batch, @Nullable Deadline deadline, C command) {
        batch.removeLost();
        repetitions.increment();
        return () -> callBy(deadline, false, batch.offload(), command);
    }

    /**
     * Submits a command to the worker with the fewest commands in flight. Never blocks: if all of its slots are occupied,
     * or no worker runs, the command is queued.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command. It is packed before this method returns, and again for another worker: it must not change
     *        until the future is done
     * @return a future of the answer, which fails with the exceptions of {@link #call(Offload, Object)}, also if this pool is
     *         closed or the command cannot be packed
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command) {
        return submit(offload, command, CallOptions.DEFAULT);
    }

    /**
     * Submits a command with options to the worker with the fewest commands in flight. Never blocks.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, as for {@link #submit(Offload, Object)}
     * @param options the options of the command
     * @return a future of the answer, as {@link #submit(Offload, Object)}
     */
    public <C, R> CompletableFuture<R> submit(Offload<C, R> offload, C command, CallOptions options) {
        return command(offload, command, options).submit();
    }

    private <C, R> PoolCommand<C, R> command(Offload<C, R> offload, C command, CallOptions options) {
        return new PoolCommand<>(engine, workers, repetitions, options, offload, command);
    }

    /**
     * Submits a command if a worker has a free slot. Never blocks.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, as for {@link #submit(Offload, Object)}
     * @return a future of the answer, as {@link #submit(Offload, Object)}; empty if all slots are occupied or no worker runs
     * @throws IllegalStateException if this pool is closed
     * @throws IllegalArgumentException if the command does not fit into a message
     * @throws DocaException with {@code NOT_FOUND} if the workers were started without the plugin
     * @throws StackOverflowError if the stack is nearly exhausted; the command was not sent
     */
    public <C, R> Optional<CompletableFuture<R>> trySubmit(Offload<C, R> offload, C command) {
        return trySubmit(offload, command, CallOptions.DEFAULT);
    }

    /**
     * Submits a command with options if a worker has a free slot. Never blocks.
     *
     * @param <C> the type of commands
     * @param <R> the type of answers
     * @param offload the kind of command
     * @param command the command, as for {@link #submit(Offload, Object)}
     * @param options the options of the command
     * @return as {@link #trySubmit(Offload, Object)}, which throws the same exceptions
     */
    public <C, R> Optional<CompletableFuture<R>> trySubmit(Offload<C, R> offload, C command, CallOptions options) {
        workers.requireOpen();
        return command(offload, command, options).trySubmit();
    }

    /**
     * Closes this pool and its workers: commands that have not completed fail. No effect if this is closed. Blocks for at
     * most one minute. Not interruptible: the interrupt status is preserved.
     *
     * @throws IllegalStateException if the current thread is the engine thread; nothing is changed
     * @throws DocaException with {@code TIME_OUT} if it takes longer; call this method again
     */
    @Override
    public void close() {
        engine.requireOtherThread();
        closeBy(Deadline.in(Deadline.OPERATION_TIMEOUT));
    }

    private void closeBy(Deadline deadline) {
        workers.close(deadline);
        dependents.remove(membership);
    }

    @Override
    public String toString() {
        return workers.toString();
    }
}

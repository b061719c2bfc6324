// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.internal.Closing;
import dev.jurom.internal.Deadline;
import dev.jurom.internal.Dependents;
import dev.jurom.internal.Engine;
import dev.jurom.plugin.internal.RegionUsers;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromWorker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A set of connected workers of several processes, from its start ({@link Urom#startDomain}) until it is
 * closed. Plugins address the workers of all participants by their ids in the domain, as {@link Sandbox}
 * does.
 *
 * {@snippet class="dev.jurom.DomainTest" region="greet"}
 *
 * <p>Close a domain before its workers, whose {@link Worker#close} throws otherwise.
 * {@link Urom#close} closes all objects in order. This class is thread-safe. Stands for
 * {@code struct doca_urom_domain}: {@code doca_urom_domain_create},
 * {@code doca_urom_domain_set_oob}, {@code doca_urom_domain_set_workers},
 * {@code doca_urom_domain_set_buffers_count}, {@code doca_ctx_start}.
 */
public final class Domain implements AutoCloseable {

    private static final byte[] NO_HANDLE = {}; // UCX exports none over shared memory

    private final Engine engine;
    private final Dependents dependents;
    private final DomainConfiguration configuration;
    private final Dependents.Dependent membership;
    private final Closing closing = new Closing();
    private final CompletableFuture<Domain> started = new CompletableFuture<>();
    // Confined to the engine thread.
    private @Nullable UromDomain context; // null: not created yet, or closed
    private boolean stopping;

    Domain(Engine engine, Dependents dependents, DomainConfiguration configuration) {
        this.engine = engine;
        this.dependents = dependents;
        this.configuration = configuration;
        this.membership = new Dependents.Dependent(
                this,
                worker -> configuration.workers().containsValue(worker),
                started::isCompletedExceptionally,
                this::closeBy);
        for (var worker : configuration.workers().values()) {
            if (worker.engine() != engine) {
                throw new IllegalArgumentException(
                        worker + " belongs to another Urom than the domain: start both with the same Urom");
            }
        }
    }

    /** Begins to start this. */
    CompletableFuture<Domain> begin(Deadline deadline) {
        dependents.add(membership, () -> configuration.workers().values().forEach(Worker::requireOpen));
        try {
            configuration.regions().forEach(region -> RegionUsers.add(region, this, () -> !closing.isEnded()));
            return engine.ask(started, this::start, deadline, "the start of " + this);
        } catch (RuntimeException | Error e) {
            end();
            throw e;
        }
    }

    private void start(CompletableFuture<Domain> result) {
        if (stopping) { // closed meanwhile
            result.completeExceptionally(closedException());
            return;
        }
        try {
            var made = UromDomain.create(engine.progress(), configuration.exchange(), contexts());
            context = made;
            addRegions(made);
            made.start();
            engine.when(
                    () -> stopping || result.isDone() || made.state() != ContextState.STARTING,
                    () -> finish(made, result));
        } catch (RuntimeException | Error e) {
            end();
            result.completeExceptionally(e);
        }
    }

    private Map<Long, UromWorker> contexts() {
        var contexts = new LinkedHashMap<Long, UromWorker>();
        configuration.workers().forEach((id, worker) -> {
            worker.requireRunning();
            contexts.put(id, worker.context());
        });
        return contexts;
    }

    private void addRegions(UromDomain made) {
        made.setBufferCount(configuration.regions().size());
        for (var region : configuration.regions()) {
            made.addBuffer(region.memory(), NO_HANDLE, region.packedKey());
        }
    }

    private void finish(UromDomain made, CompletableFuture<Domain> result) {
        if (stopping) {
            result.completeExceptionally(closedException());
        } else if (result.isDone() || made.state() == ContextState.RUNNING) {
            if (!result.complete(this)) {
                stop(); // its future has failed or was cancelled
            }
        } else {
            var failure = failure(made);
            end();
            result.completeExceptionally(failure);
        }
    }

    private DocaException failure(UromDomain made) {
        var cause = made.exchangeFailure().orElse(null);
        var failure = new DocaException(
                DocaError.INITIALIZATION,
                "doca_ctx_start",
                toString(),
                cause != null
                        ? "Its exchange failed: " + cause.getMessage() + "."
                        : "The participants may have different numbers of regions, two workers may have the same id,"
                                + " or a worker may have exited: see the log of the library.");
        failure.initCause(cause);
        return failure;
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(this + " was closed");
    }

    private void stop() {
        if (stopping || closing.isEnded()) {
            return;
        }
        stopping = true; // before the context changes its state
        var running = context;
        if (running == null) { // not started yet, or the start failed before it created a context
            end();
            return;
        }
        try {
            if (running.isOpen()) { // else a repeated attempt frees the rest
                running.stop();
            }
            engine.when(() -> !running.isOpen() || running.state() == ContextState.IDLE, this::end);
        } catch (RuntimeException | Error e) {
            stopping = false;
            closing.failed(e);
        }
    }

    /** Destroys the context, which is idle, if there is one. */
    private void end() {
        try {
            if (context != null) {
                context.close();
            }
            context = null;
            dependents.remove(membership);
            closing.ended();
        } catch (RuntimeException | Error e) {
            stopping = false;
            closing.failed(e);
        }
    }

    /**
     * Returns this participant's workers.
     *
     * @return the workers by their ids in the domain
     */
    public Map<Long, Worker> workers() {
        return configuration.workers();
    }

    /**
     * Returns the id of one of this participant's workers.
     *
     * @param worker a worker that the domain was started with
     * @return its id in the domain
     * @throws IllegalArgumentException if the domain was started without it
     */
    public long id(Worker worker) {
        return workers().entrySet().stream()
                .filter(entry -> entry.getValue() == worker)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(worker + " is not in this " + this + ", which has " + workers()));
    }

    /**
     * Disconnects this participant's workers from the others. The exchange remains open. No effect if
     * this is closed. Blocks for at most one minute. Not interruptible: the interrupt
     * status is preserved. Stands for {@code doca_ctx_stop} and {@code doca_urom_domain_destroy}.
     *
     * @throws DocaException with {@code TIME_OUT} if it takes longer; the close continues
     * @throws IllegalStateException if the current thread is the engine thread; nothing is changed
     */
    @Override
    public void close() {
        closeBy(Deadline.in(Deadline.OPERATION_TIMEOUT));
    }

    private void closeBy(Deadline deadline) {
        engine.requireOtherThread();
        engine.await(beginClose().copy(), deadline, "the close of " + this);
    }

    /** Begins to close this. Returns a future that completes when it is closed. */
    CompletableFuture<Void> beginClose() {
        var attempt = closing.attempt();
        if (!attempt.isDone()) {
            engine.execute(this::stop);
        }
        return attempt;
    }

    @Override
    public String toString() {
        return "participant " + configuration.exchange().index() + " of a domain of "
                + configuration.exchange().participants();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.ContextState;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.urom.UromDomain;
import dev.jurom.urom.UromWorker;
import java.util.LinkedHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A domain context that the leader of a driver has. It begins to start when it is made, by an
 * errand; stopping it is another. The facade's {@code Domain} stands for one, and says what its
 * callers may rely on.
 */
public final class DrivenDomain implements Dependent {

    private static final byte[] NO_HANDLE = {}; // UCX exports none over shared memory

    private final DrivenService service;
    private final EngineDriver driver;
    private final DomainRequest request;
    private final CompletableFuture<?> started; // or will be
    private final DrivenFuture<Void> ended;

    // The leader's own.
    private @Nullable UromDomain context; // null: not made yet, or closed
    private boolean stopping;

    private DrivenDomain(DrivenService service, DomainRequest request,
            CompletableFuture<?> started) {
        this.service = service;
        this.started = started;
        this.driver = service.driver();
        this.request = request;
        this.ended = new DrivenFuture<>(driver, null);
    }

    /**
     * Starts a domain. It is closed again if it runs when the future was cancelled or timed out.
     *
     * @param <D> what callers see of a domain
     * @param service whose workers the request has
     * @param request what it is like
     * @param view makes what callers see, in the thread that drives the engine
     * @return the domain to come
     */
    public static <D> CompletableFuture<D> start(DrivenService service, DomainRequest request,
            Function<DrivenDomain, D> view) {
        return begin(service, request, view);
    }

    /**
     * Starts a domain and waits until it runs, as long as the request allows. An interrupt is kept
     * for later.
     *
     * @param <D> what callers see of a domain
     * @param service whose workers the request has
     * @param request what it is like
     * @param view makes what callers see, in the thread that drives the engine
     * @return the domain
     */
    public static <D> D startAndWait(DrivenService service, DomainRequest request,
            Function<DrivenDomain, D> view) {
        var deadline = Deadline.in(request.timeout());
        return begin(service, request, view).awaitUninterrupted(deadline, text(request));
    }

    private static <D> DrivenFuture<D> begin(DrivenService service, DomainRequest request,
            Function<DrivenDomain, D> view) {
        for (var worker : request.workers().values()) {
            if (worker.service() != service) {
                throw new IllegalArgumentException(worker + " belongs to another Urom than the"
                        + " domain: start it with the same");
            }
        }
        var deadline = Deadline.in(request.timeout());
        var started = new DrivenFuture<D>(service.driver(), deadline);
        var domain = new DrivenDomain(service, request, started);
        service.dependents().add(domain, request.workers().values());
        try {
            service.control(() -> domain.run(started, view), started, deadline,
                    domain.toString());
        } catch (RuntimeException e) {
            domain.end();
            throw e;
        }
        return started;
    }

    private <D> void run(DrivenFuture<D> begun, Function<DrivenDomain, D> view) {
        try {
            var made = create();
            context = made;
            made.start();
            driver.when(() -> stopping || begun.isDone()
                            || made.state() != ContextState.STARTING,
                    () -> finish(made, begun, view));
        } catch (RuntimeException | Error e) {
            end();
            begun.completeExceptionally(e);
        }
    }

    private UromDomain create() {
        var contexts = new LinkedHashMap<Long, UromWorker>();
        request.workers().forEach((id, worker) -> {
            worker.requireRunning();
            contexts.put(id, worker.context());
        });
        var made = UromDomain.create(driver.engine(), request.exchange(), contexts);
        try {
            made.setBufferCount(request.regions().size());
            for (var region : request.regions()) {
                made.addBuffer(region.memory(), NO_HANDLE, region.packedKey());
            }
            return made;
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private <D> void finish(UromDomain made, DrivenFuture<D> begun,
            Function<DrivenDomain, D> view) {
        if (stopping) {
            begun.completeExceptionally(new IllegalStateException(this + " was closed"));
        } else if (begun.isDone() || made.state() == ContextState.RUNNING) {
            if (!begun.complete(view.apply(this))) {
                stop(); // nobody waits for it any more
            }
        } else {
            var failure = failure(made);
            end();
            begun.completeExceptionally(failure);
        }
    }

    private DocaException failure(UromDomain made) {
        var cause = made.exchangeFailure().orElse(null);
        var failure = new DocaException(DocaError.INITIALIZATION, "doca_ctx_start", toString(),
                cause != null ? "Its exchange failed: " + cause.getMessage() + "."
                        : "A participant may have another number of regions, two workers the same"
                                + " id, or a worker may have ended; the library's log says which.");
        failure.initCause(cause);
        return failure;
    }

    private void stop() {
        var running = context;
        if (running == null || stopping) {
            return;
        }
        stopping = true;
        running.stop();
        driver.when(() -> running.state() == ContextState.IDLE, this::end);
    }

    /** Closes the context, which is idle, if there is one. */
    private void end() {
        try {
            if (context != null) {
                context.close();
            }
            context = null;
            service.dependents().remove(this);
            ended.complete(null);
        } catch (RuntimeException e) {
            ended.completeExceptionally(e);
        }
    }

    @Override
    public boolean needs(DrivenWorker worker) {
        return request.workers().containsValue(worker);
    }

    @Override
    public boolean isEnding() {
        return started.isCompletedExceptionally();
    }

    /** Closes this and waits until it is, for a minute at most. An interrupt is kept for later. */
    public void close() {
        close(Deadline.in(DrivenService.PATIENCE));
    }

    @Override
    public void close(Deadline deadline) {
        if (!ended.isDone()) {
            driver.control(this::stop);
        }
        ended.awaitUninterrupted(deadline, this);
    }

    @Override
    public String toString() {
        return text(request);
    }

    private static String text(DomainRequest request) {
        return "participant " + request.exchange().index() + " of a domain of "
                + request.exchange().participants();
    }
}

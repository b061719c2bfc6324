// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import dev.jurom.internal.Deadline;
import dev.jurom.internal.Engine;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a pool. A thread starts them, replaces those that have exited or are busy, and ends when this is closed.
 * Thread-safe, except for what is confined to that thread.
 */
final class PoolWorkers {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.WorkerPool");
    private static final long NEVER = Long.MAX_VALUE;

    private final BiFunction<WorkerConfiguration, Deadline, CompletableFuture<Worker>> starter;
    private final Engine engine;
    private final PoolConfiguration configuration;
    private final Place[] places;
    private final Thread thread;
    private final CompletableFuture<Void> attempted = new CompletableFuture<>(); // a start of each worker has ended
    private final List<Worker> ending =
            new ArrayList<>(); // guarded by itself: replaced workers, and all after the close
    private volatile PoolMember[] running = {}; // never changed
    private volatile CompletableFuture<Void> nextStart = new CompletableFuture<>();
    private volatile long maxCommandSize; // of the worker that was started last
    private volatile @Nullable String lastFailure;
    private volatile boolean closed;
    private @Nullable Throwable failure; // of the last start; null if it succeeded. Confined to the thread

    /** The state of a place. */
    private sealed interface State {}

    /** Waits until its worker may be started. */
    private record Pausing() implements State {}

    private record Starting(CompletableFuture<Worker> worker) implements State {}

    private record Running(PoolMember member, long[] commands, BusyTime busy) implements State {}

    /** Waits until its replaced worker is closed, because the next one has the same id. */
    private record Closing(CompletableFuture<Void> closed) implements State {}

    /**
     * Creates workers that are not started.
     *
     * @param starter begins to start a worker
     */
    PoolWorkers(
            BiFunction<WorkerConfiguration, Deadline, CompletableFuture<Worker>> starter,
            Engine engine,
            PoolConfiguration configuration) {
        this.starter = starter;
        this.engine = engine;
        this.configuration = configuration;
        places =
                IntStream.range(0, configuration.workers()).mapToObj(Place::new).toArray(Place[]::new);
        thread = Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .daemon()
                .name("urom-pool")
                .unstarted(this::run);
    }

    /** Begins to start the workers. */
    void begin() {
        thread.start();
    }

    /** Waits until each worker runs or could not be started. Throws the last failure if none runs. */
    void awaitStart(Deadline deadline) throws InterruptedException {
        deadline.awaitStart(attempted.copy(), nothing -> {}, "the start of " + this);
    }

    /** Returns the running worker with the fewest commands; null if there is none. */
    @Nullable
    PoolMember choose() {
        var members = running;
        var chosen = members.length == 1 && members[0].isRunning() ? members[0] : PoolCandidate.fewest(members);
        if (chosen == null) {
            LockSupport.unpark(thread);
        }
        return chosen;
    }

    /** Returns the number of running workers. */
    int count() {
        return (int) Arrays.stream(running).filter(PoolMember::isRunning).count();
    }

    /** Returns the workers, the one with the fewest commands first. */
    List<PoolMember> byLoad() {
        return Arrays.stream(running)
                .filter(PoolMember::isRunning)
                .map(member -> Map.entry(member.load(), member)) // the load changes during the sort
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    long maxCommandSize() {
        return maxCommandSize;
    }

    /** Returns why a worker has ended, was replaced or did not start. */
    Optional<String> lastFailure() {
        var exited = Arrays.stream(running) // and is about to be replaced
                .map(PoolMember::worker)
                .filter(worker -> !worker.isRunning())
                .map(Worker::exitText)
                .findFirst();
        return exited.or(() -> Optional.ofNullable(lastFailure));
    }

    /** Returns the counters of each place. */
    List<PoolWorkerCounters> counters() {
        return Arrays.stream(places).map(Place::counters).toList();
    }

    /**
     * Waits for a running worker, for at most the submit timeout.
     *
     * @param deadline the deadline of the command; null if it has none
     * @throws DocaException with {@code NOT_CONNECTED} if the next start of a worker fails, or {@code TIME_OUT}
     */
    PoolMember await(@Nullable Deadline deadline) throws InterruptedException {
        engine.requireCaller();
        var end = startDeadline(deadline);
        while (true) {
            var start = nextStart; // before the choice, which would miss a start that ends between them
            var member = choose();
            if (member != null) {
                return member;
            }
            requireOpen();
            try {
                start.get(end.remaining(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                throw noWorker(start.exceptionNow());
            } catch (TimeoutException e) {
                throw end.failure("the wait for a worker of " + this);
            }
        }
    }

    /** Returns a future that completes on the completion executor when {@link #choose} may return a worker. */
    CompletableFuture<Void> whenStarted(@Nullable Deadline deadline) {
        var start = nextStart;
        if (choose() != null) {
            return CompletableFuture.completedFuture(null);
        }
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        var waiting = engine.ask(
                new CompletableFuture<Void>(),
                wait -> start.whenComplete((started, reason) -> end(wait, reason == null ? null : noWorker(reason))),
                startDeadline(deadline),
                "the wait for a worker of " + this);
        return engine.view(waiting, nothing -> {});
    }

    private Deadline startDeadline(@Nullable Deadline deadline) {
        return deadline != null ? deadline : Deadline.in(configuration.worker().submitTimeout());
    }

    private RuntimeException noWorker(Throwable reason) {
        if (closed) {
            return closedException();
        }
        var exception = DocaException.of(
                DocaError.NOT_CONNECTED,
                "doca_ctx_start",
                this + " has no running worker, and the last start has failed",
                "It is repeated after a pause of at most a second. " + reason.getMessage(),
                new byte[0]);
        exception.initCause(reason);
        return exception;
    }

    boolean isClosed() {
        return closed;
    }

    /** Requires that this is not closed. */
    void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }

    /** Starts and replaces workers until this is closed. */
    private void run() {
        try {
            while (!closed) {
                try {
                    LockSupport.parkNanos(this, step());
                } catch (RuntimeException | Error e) { // such as a lack of memory: the next step repeats it
                    LockSupport.parkNanos(this, Restarts.LONGEST_PAUSE.toNanos());
                }
            }
        } finally {
            end();
        }
    }

    /** Steps each place. Returns the time until the next step, unless a start or a worker ends before. */
    private long step() {
        var now = System.nanoTime();
        var pause = NEVER;
        for (var place : places) {
            pause = Math.min(pause, place.step(now));
        }
        return pause;
    }

    private void publish() {
        running = Arrays.stream(places)
                .map(place -> place.member)
                .filter(Objects::nonNull)
                .toArray(PoolMember[]::new);
    }

    private void startSucceeded() {
        publish();
        endWaits(null);
        if (failure != null && running.length == places.length) {
            failure = null;
            LOGGER.log(Level.INFO, () -> "All workers of " + this + " run again");
        }
    }

    private void startFailed(Throwable reason) {
        var isNew = failure == null || !Objects.equals(failure.getMessage(), reason.getMessage());
        if (isNew && attempted.isDone()) { // else the start of the pool reports it
            LOGGER.log(Level.WARNING, () -> "A worker of " + this + " does not start: " + reason.getMessage());
        }
        failure = reason;
        lastFailure = String.valueOf(reason.getMessage());
        if (running.length == 0) {
            endWaits(reason);
        } else if (isAttempted()) {
            attempted.complete(null);
        }
    }

    private static void end(CompletableFuture<Void> wait, @Nullable Throwable reason) {
        if (reason == null) {
            wait.complete(null);
        } else {
            wait.completeExceptionally(reason);
        }
    }

    /** Returns whether a start of each worker has ended. */
    private boolean isAttempted() {
        return Arrays.stream(places).allMatch(Place::isAttempted);
    }

    /** Ends the waits for a start. */
    private void endWaits(@Nullable Throwable reason) {
        var ended = nextStart;
        nextStart = new CompletableFuture<>();
        end(ended, reason);
        if (isAttempted()) {
            end(attempted, reason);
        }
    }

    /** Ends all starts and waits, on the thread. */
    private void end() {
        for (var place : places) {
            place.end();
        }
        publish();
        endWaits(closedException());
        attempted.completeExceptionally(closedException());
    }

    /** Adds a worker that the close awaits. */
    private void addEnding(Worker worker) {
        synchronized (ending) {
            ending.removeIf(other -> !other.isOpen());
            ending.add(worker);
        }
    }

    /** Rejects commands and starts no further workers. */
    void beginClose() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** Closes all workers. Not interruptible: the interrupt status is preserved. */
    void close(Deadline deadline) {
        beginClose();
        deadline.join(thread);
        if (thread.isAlive()) {
            throw deadline.failure("the end of the thread of " + this);
        }
        synchronized (ending) {
            ending.forEach(Worker::beginClose);
            for (var worker : ending) {
                engine.await(worker.beginClose().copy(), deadline, worker.closing());
            }
            ending.clear();
        }
    }

    @Override
    public String toString() {
        return "WorkerPool" + configuration.worker().plugins();
    }

    /** One of the workers, with those that replace it. Confined to the thread, except for the counters. */
    private final class Place {

        private final WorkerConfiguration worker;
        private final Restarts restarts = new Restarts(System.nanoTime());
        private final AtomicLong starts = new AtomicLong();
        private final AtomicLong failedStarts = new AtomicLong();
        private final AtomicLong exits = new AtomicLong();
        private final AtomicLong busyReplacements = new AtomicLong();
        private volatile @Nullable PoolMember member; // null unless the worker runs
        private State state = new Pausing();

        Place(int index) {
            worker = configuration.worker(index);
        }

        /** Returns the counters. A worker must not be closed while its slots are read. */
        synchronized PoolWorkerCounters counters() {
            var current = member;
            return new PoolWorkerCounters(
                    current != null && current.isRunning(),
                    current != null ? current.worker().inFlight() : 0,
                    starts.get(),
                    failedStarts.get(),
                    exits.get(),
                    busyReplacements.get());
        }

        /** Returns whether a start has ended. */
        boolean isAttempted() {
            return starts.get() + failedStarts.get() > 0;
        }

        /** Takes the step that is due. Returns the time until the next one, in nanoseconds. */
        long step(long now) {
            return switch (state) {
                case Pausing() -> restarts.remaining(now) > 0 ? restarts.remaining(now) : begin();
                case Starting(var start) -> start.isDone() ? finish(start, now) : NEVER;
                case Running(var current, var commands, var busy) -> watch(current, commands, busy, now);
                case Closing(var end) -> end.isDone() ? become(new Pausing()) : NEVER;
            };
        }

        private long become(State next) {
            state = next;
            return 0;
        }

        private long begin() {
            CompletableFuture<Worker> start;
            try {
                start = starter.apply(worker, Deadline.in(Deadline.OPERATION_TIMEOUT));
            } catch (RuntimeException e) { // the service does not offer the plugin
                start = CompletableFuture.failedFuture(e);
            }
            start.whenComplete((started, reason) -> LockSupport.unpark(thread));
            return become(new Starting(start));
        }

        private long finish(CompletableFuture<Worker> start, long now) {
            if (start.isCompletedExceptionally()) {
                failedStarts.incrementAndGet();
                restarts.ended(now);
                become(new Pausing());
                startFailed(start.exceptionNow());
            } else {
                starts.incrementAndGet();
                restarts.started(now);
                var started = start.resultNow();
                started.whenEnded(() -> LockSupport.unpark(thread));
                maxCommandSize = started.maxCommandSize();
                member = new PoolMember(started);
                var busy = new BusyTime(Timeout.nanos(configuration.replaceAfter()), now);
                become(new Running(member, started.noCommands(), busy));
                startSucceeded();
            }
            return 0;
        }

        private long watch(PoolMember current, long[] commands, BusyTime busy, long now) {
            var observed = current.worker();
            if (!observed.isRunning()) {
                exits.incrementAndGet();
                return replace(observed, observed.exitText(), now);
            }
            if (busy.isExceeded(observed.hasAnsweredNone(commands), now)) {
                busyReplacements.incrementAndGet();
                return replace(observed, observed + " has answered no command for " + Timeout.text(busy.at(now)), now);
            }
            return busy.period();
        }

        private long replace(Worker replaced, String reason, long now) {
            LOGGER.log(Level.WARNING, () -> replaced + " of " + PoolWorkers.this + " is replaced: " + reason);
            lastFailure = reason;
            remove();
            publish();
            restarts.ended(now);
            addEnding(replaced);
            var end = replaced.retire();
            if (!configuration.hasIds()) {
                return become(new Pausing());
            }
            end.whenComplete((nothing, failed) -> LockSupport.unpark(thread));
            return become(new Closing(end));
        }

        /** Ends the start of a worker, and leaves a running one to the close. */
        void end() {
            if (state instanceof Starting(var start)) {
                start.cancel(false);
            } else if (state instanceof Running(var current, var commands, var busy)) {
                addEnding(current.worker());
            }
            remove();
        }

        private synchronized void remove() {
            member = null;
        }
    }
}

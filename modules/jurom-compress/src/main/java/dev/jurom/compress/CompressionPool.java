// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import dev.jurom.IdleStrategy;
import dev.jurom.PoolConfiguration;
import dev.jurom.PoolWorkerCounters;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.WorkerConfiguration;
import dev.jurom.WorkerPool;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a {@link Compression}, and its connection to a service. The pool replaces workers; a thread connects
 * again to a service that has exited. Thread-safe.
 */
final class CompressionPool implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.compress");
    private static final int TASKS = 16; // commands in flight of a worker
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(1);
    private static final Duration REPORT_INTERVAL = Duration.ofMinutes(1);

    /** A pool, and the connection that it uses. */
    private record Connection(Urom urom, WorkerPool pool) {

        long started() {
            return pool.counters().stream()
                    .mapToLong(PoolWorkerCounters::starts)
                    .sum();
        }

        long failedStarts() {
            return pool.counters().stream()
                    .mapToLong(PoolWorkerCounters::failedStarts)
                    .sum();
        }
    }

    private final CompressionConfiguration configuration;
    private final Thread thread;
    // Used by the current owner: the constructor, then the thread.
    private @Nullable String reported; // the last message of this failure
    private long nextReport = System.nanoTime();
    private long failedStarts; // of the pool when a worker ran last

    private volatile @Nullable Connection connection;
    private volatile long startedBefore; // workers of earlier connections
    private volatile @Nullable Throwable failure; // of the last attempt to connect
    private volatile int messageSize; // of the service that was connected last
    private volatile boolean closed;

    /** Starts all workers. In the mode OFFLOAD, fails if that is impossible. */
    CompressionPool(CompressionConfiguration configuration) throws CompressionException {
        this.configuration = configuration;
        messageSize = configuration.maxMessageSize();
        thread = Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .daemon()
                .name("jurom-compress")
                .unstarted(this::maintain);
        connect();
        if (running() < configuration.workers() && configuration.mode() == CompressionMode.OFFLOAD) {
            var reason = noWorker();
            disconnect();
            throw reason;
        }
        thread.start();
    }

    /** Returns the pool; null if no worker runs. */
    @Nullable
    WorkerPool choose() {
        var current = connection;
        if (current != null && current.pool().runningWorkers() > 0) {
            return current.pool();
        }
        LockSupport.unpark(thread);
        return null;
    }

    /** Returns the reason why there is no worker: the last failure, or the exit of a worker that is not replaced yet. */
    CompressionException noWorker() {
        var current = connection;
        var reason = failure;
        var detail = current != null
                ? current.pool().lastFailure().orElse("they are being started")
                : reason == null ? "they are being started" : String.valueOf(reason.getMessage());
        return new CompressionException(CompressionError.NO_WORKER, 0, detail, reason);
    }

    /** Returns the maximum message size of the service. */
    int messageSize() {
        return messageSize;
    }

    long started() {
        var current = connection;
        return startedBefore + (current == null ? 0 : current.started());
    }

    int running() {
        var current = connection;
        return current == null ? 0 : current.pool().runningWorkers();
    }

    /** Returns the number of blocks that workers have not answered. */
    int inFlight() {
        var current = connection;
        return current == null
                ? 0
                : current.pool().counters().stream()
                        .mapToInt(PoolWorkerCounters::inFlight)
                        .sum();
    }

    /** Runs the thread until this is closed. */
    private void maintain() {
        var pause = FIRST_PAUSE;
        try {
            while (!closed) {
                if (isUsable()) {
                    pause = FIRST_PAUSE;
                } else {
                    disconnect();
                    connect();
                    pause = pause.multipliedBy(2).compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
                }
                LockSupport.parkNanos(this, (running() > 0 ? MAX_PAUSE : pause).toNanos());
            }
        } finally {
            disconnect();
        }
    }

    /** Returns whether a worker runs, or may still be started by the service of this connection. */
    private boolean isUsable() {
        var current = connection;
        if (current == null) {
            return false;
        }
        var failed = current.failedStarts();
        if (current.pool().runningWorkers() > 0) {
            failedStarts = failed;
        }
        return failed == failedStarts;
    }

    private void failed(@Nullable Urom opened, Throwable reason) {
        if (opened != null) {
            close(opened);
        }
        report(reason);
    }

    /** Connects to the service and starts the workers. A failure is reported, and the thread tries again. */
    private void connect() {
        Urom urom = null;
        try {
            urom = open();
            var settings = WorkerConfiguration.builder(CompressCommand.PLUGIN).tasks(TASKS);
            configuration.firstSharedWorker().ifPresent(settings::id);
            var pool = urom.startPool(PoolConfiguration.builder(settings.build())
                    .workers(configuration.workers())
                    // The worker ends a block at its deadline, unless it hangs.
                    .replaceAfter(configuration.timeout().multipliedBy(2))
                    .build());
            messageSize = Math.toIntExact(pool.maxCommandSize() + CompressCommand.MESSAGE_HEADER);
            var opened = new Connection(urom, pool);
            failedStarts = opened.failedStarts();
            connection = opened;
            connected();
        } catch (InterruptedException e) { // of the thread that opens the compression
            Thread.currentThread().interrupt();
            failed(urom, e);
        } catch (RuntimeException | Error e) { // such as a lack of memory
            failed(urom, e);
        }
    }

    private void connected() {
        if (failure != null) {
            failure = null;
            reported = null;
            LOGGER.log(Level.INFO, "Compression workers run again");
        }
    }

    /** Logs a failure at most once in an interval, unless it is the one with which the opening fails. */
    private void report(Throwable e) {
        failure = e;
        var fails = configuration.mode() == CompressionMode.OFFLOAD && !thread.isAlive();
        var now = System.nanoTime();
        if (!closed && !fails && now - nextReport >= 0 && !Objects.equals(reported, e.getMessage())) {
            reported = e.getMessage();
            nextReport = now + REPORT_INTERVAL.toNanos();
            LOGGER.log(
                    Level.WARNING,
                    "No compression worker could be started: " + e.getMessage()
                            + (configuration.mode() != CompressionMode.OFFLOAD
                                    ? " Blocks are compressed in this process until then."
                                    : ""));
        }
    }

    /**
     * Connects to the service with the message size of the configuration, or else with that of the service, if it is in
     * this process, or the default size.
     */
    private Urom open() {
        try {
            return Urom.open(
                    builder().maxMessageSize(configuration.maxMessageSize()).build());
        } catch (DocaException | IllegalStateException e) {
            var isRejected = !(e instanceof DocaException failed) || failed.error() == DocaError.INVALID_VALUE;
            if (configuration.hasMaxMessageSize() || !isRejected) {
                throw e;
            }
            return openWithDefaultSize(e);
        }
    }

    /**
     * Builds the configuration of the connection. A block takes much longer than a wake-up, so threads do not poll for
     * it. The engine thread runs the completions of its commands, which only pass on the output.
     */
    private UromConfiguration.Builder builder() {
        var builder = UromConfiguration.builder()
                .service(configuration.service())
                .idleStrategy(IdleStrategy.WAIT)
                .callTimeout(configuration.timeout())
                .completionExecutor(Runnable::run);
        configuration.device().ifPresent(builder::device);
        return builder;
    }

    private Urom openWithDefaultSize(RuntimeException reason) {
        Urom urom;
        try {
            urom = Urom.open(builder().build());
        } catch (DocaException e) {
            reason.addSuppressed(e);
            throw reason;
        }
        LOGGER.log(
                Level.WARNING,
                "The maximum message size of the service is not the " + configuration.maxMessageSize()
                        + " bytes that the blocks need: blocks are smaller or, if their size is configured, not"
                        + " processed by workers. Start the service with -m "
                        + configuration.maxMessageSize() + ". " + reason.getMessage());
        return urom;
    }

    private void disconnect() {
        var current = connection;
        if (current != null) {
            startedBefore += current.started();
            connection = null;
            close(current.urom());
        }
    }

    private static void close(Urom urom) {
        try {
            urom.close();
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "The connection of the compression workers was not closed: " + e.getMessage());
        }
    }

    /** Closes the workers and the connection, and waits until the thread has ended. Not interruptible. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        var interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

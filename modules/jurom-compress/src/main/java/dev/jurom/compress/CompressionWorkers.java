// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import dev.jurom.IdleStrategy;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a {@link Compression}. A thread starts them, replaces exited workers, and connects again to a
 * service that has exited. Thread-safe.
 */
final class CompressionWorkers implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.compress");
    private static final int TASKS = 16; // commands in flight of a worker
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(1);
    private static final Duration REPORT_INTERVAL = Duration.ofMinutes(1);

    /** A running worker. */
    static final class Member {

        final Worker worker;
        final int messageSize;
        final AtomicInteger inFlight = new AtomicInteger();
        private volatile boolean failed;
        private volatile long stalledCaller; // whose block timed out since the last answer; 0: none

        Member(Worker worker) {
            this.worker = worker;
            this.messageSize = Math.toIntExact(worker.maxCommandSize() + CompressCommand.MESSAGE_HEADER);
        }

        void answered() {
            if (stalledCaller != 0) { // all blocks would contend for the cache line
                stalledCaller = 0;
            }
        }

        /** Adds a caller whose block timed out. Returns whether a block of another one timed out before. */
        private synchronized boolean isStalled(long caller) {
            var before = stalledCaller;
            stalledCaller = caller;
            return before != 0 && before != caller;
        }

        boolean isUsable() {
            return !failed && worker.isRunning();
        }
    }

    private final CompressionConfiguration configuration;
    private final AtomicReferenceArray<@Nullable Member> members;
    private final LongAdder started = new LongAdder();
    private final Thread thread;
    // Used by the current owner: the constructor, then the thread.
    private @Nullable Urom urom;
    private @Nullable String reported; // the last message of this failure
    private long nextReport = System.nanoTime();

    private volatile @Nullable Throwable failure; // of the last start or the last worker
    private volatile int messageSize; // of the service that was connected last
    private volatile boolean closed;

    /** Starts all workers. In the mode OFFLOAD, fails if that is impossible. */
    CompressionWorkers(CompressionConfiguration configuration) throws CompressionException {
        this.configuration = configuration;
        members = new AtomicReferenceArray<>(configuration.workers());
        messageSize = configuration.maxMessageSize();
        thread = Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .daemon()
                .name("jurom-compress")
                .unstarted(this::maintain);
        if (!startMissing() && configuration.mode() == CompressionMode.OFFLOAD) {
            disconnect();
            throw noWorker();
        }
        thread.start();
    }

    /** Returns the running worker with the fewest blocks in flight; null if there is none. */
    @Nullable
    Member choose() {
        Member chosen = null;
        for (var i = 0; i < members.length(); i++) {
            var member = members.get(i);
            if (member == null) {
                continue;
            }
            if (!member.isUsable()) {
                LockSupport.unpark(thread);
            } else if (chosen == null || member.inFlight.get() < chosen.inFlight.get()) {
                chosen = member;
            }
        }
        return chosen;
    }

    /** Replaces a worker that has exited, or whose connection is lost. */
    void lost(Member member, Throwable reason) {
        member.failed = true;
        failure = reason;
        LockSupport.unpark(thread);
    }

    /**
     * Replaces a worker if blocks of several callers have timed out without an answer between them. The blocks of a
     * single caller may be too slow, and the service ends a worker that hangs.
     */
    void timedOut(Member member, long caller, Throwable reason) {
        if (member.isStalled(caller)) {
            lost(member, reason);
        }
    }

    /**
     * Returns the reason why there is no worker: the last failure, or the exit of a worker that is not replaced yet.
     */
    CompressionException noWorker() {
        var reason = failure;
        var detail = reason == null ? "they are being started" : String.valueOf(reason.getMessage());
        for (var i = 0; i < members.length() && reason == null; i++) {
            var member = members.get(i);
            var exit = member == null ? null : member.worker.onExit();
            if (exit != null && exit.isDone() && !exit.isCompletedExceptionally()) {
                detail = "the " + exit.join();
            }
        }
        return new CompressionException(CompressionError.NO_WORKER, 0, detail, reason);
    }

    /** Returns the maximum message size of the service. */
    int messageSize() {
        return messageSize;
    }

    long started() {
        return started.sum();
    }

    int running() {
        var running = 0;
        for (var i = 0; i < members.length(); i++) {
            var member = members.get(i);
            running += member != null && member.isUsable() ? 1 : 0;
        }
        return running;
    }

    /** Runs the thread until this is closed. */
    private void maintain() {
        var pause = FIRST_PAUSE;
        try {
            while (!closed) {
                if (startMissing()) {
                    pause = FIRST_PAUSE;
                    LockSupport.parkNanos(this, MAX_PAUSE.toNanos());
                } else {
                    LockSupport.parkNanos(this, pause.toNanos());
                    pause = pause.multipliedBy(2).compareTo(MAX_PAUSE) < 0 ? pause.multipliedBy(2) : MAX_PAUSE;
                }
            }
        } finally {
            disconnect();
        }
    }

    /** Replaces workers that have exited. Returns whether all run. */
    private boolean startMissing() {
        try {
            for (var i = 0; i < members.length() && !closed; i++) {
                var member = members.get(i);
                if (member == null || !member.isUsable()) {
                    if (member != null) {
                        discard(member);
                    }
                    members.set(i, null);
                    replace(i);
                }
            }
            return true;
        } catch (RuntimeException
                | Error
                | InterruptedException e) { // such as a lack of memory: the thread tries again
            if (!closed) {
                report(e);
            }
            if (running() == 0) {
                disconnect(); // the next attempt connects again: the service may have exited
            }
            return false;
        }
    }

    /** Closes a worker that has failed. Blocks that find no other worker report its exit. */
    private void discard(Member member) {
        var exit = exitOf(member.worker);
        LOGGER.log(Level.WARNING, "A compression worker is replaced: " + exit);
        if (failure == null) {
            failure = new IllegalStateException(exit);
        }
        close(member.worker);
    }

    private void replace(int index) throws InterruptedException {
        var connection = urom;
        if (connection == null) {
            connection = connect();
            urom = connection;
        }
        var settings = WorkerConfiguration.builder(CompressCommand.PLUGIN).tasks(TASKS);
        configuration.firstSharedWorker().ifPresent(first -> settings.id(first + index));
        var worker = connection.startWorker(settings.build());
        var member = new Member(worker);
        messageSize = member.messageSize;
        started.increment();
        members.set(index, member);
        if (failure != null && running() == members.length()) {
            failure = null;
            reported = null;
            LOGGER.log(Level.INFO, "All compression workers run again");
        }
    }

    private static String exitOf(Worker worker) {
        try {
            return "the " + worker.onExit().get(FIRST_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return worker.toString();
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            return worker + " has exited";
        }
    }

    private void close(Worker worker) {
        try {
            worker.close();
        } catch (RuntimeException e) {
            failure = e; // closing the connection tries again
        }
    }

    /** Logs a failure at most once in an interval, unless it is the one with which the opening fails. */
    private void report(Throwable e) {
        failure = e;
        var fails = configuration.mode() == CompressionMode.OFFLOAD && !thread.isAlive();
        var now = System.nanoTime();
        if (!fails && now - nextReport >= 0 && !Objects.equals(reported, e.getMessage())) {
            reported = e.getMessage();
            nextReport = now + REPORT_INTERVAL.toNanos();
            LOGGER.log(
                    Level.WARNING,
                    "No compression worker could be started: " + e.getMessage()
                            + (configuration.mode() == CompressionMode.AUTO
                                    ? " Blocks are compressed in this process until then."
                                    : ""));
        }
    }

    /**
     * Connects to the service with the message size of the configuration, or else with that of the service, if it is in
     * this process, or the default size.
     */
    private Urom connect() {
        try {
            return Urom.open(
                    builder().maxMessageSize(configuration.maxMessageSize()).build());
        } catch (DocaException | IllegalStateException e) {
            var isRejected = !(e instanceof DocaException failed) || failed.error() == DocaError.INVALID_VALUE;
            if (configuration.hasMaxMessageSize() || !isRejected) {
                throw e;
            }
            return connectWithDefaultSize(e);
        }
    }

    /**
     * Builds the configuration of the connection. A block takes much longer than a wake-up, so threads do not poll for
     * it. The engine thread runs the completions of its commands, which only pass on the output.
     */
    private UromConfiguration.Builder builder() {
        var builder = UromConfiguration.builder()
                .idleStrategy(IdleStrategy.WAIT)
                .callTimeout(configuration.timeout())
                .completionExecutor(Runnable::run);
        configuration.device().ifPresent(builder::device);
        return builder;
    }

    private Urom connectWithDefaultSize(RuntimeException reason) {
        Urom connection;
        try {
            connection = Urom.open(builder().build());
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
        return connection;
    }

    private void disconnect() {
        for (var i = 0; i < members.length(); i++) {
            members.set(i, null);
        }
        var connection = urom;
        urom = null;
        if (connection == null) {
            return;
        }
        try {
            connection.close();
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

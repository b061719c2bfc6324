// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import dev.jurom.internal.Closing;
import dev.jurom.internal.Deadline;
import dev.jurom.plugin.rdmo.RdmoFlush;
import dev.jurom.plugin.rdmo.RdmoPeer;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.plugin.rdmo.RdmoRequest;
import dev.jurom.plugin.rdmo.ScatterVector;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A peer that writes to the memory of a {@link RdmoTarget}, in this process or another, for any
 * thread. It needs no {@link Urom} and no service of its own: its requests go straight to the
 * target's worker, which carries them out in the order in which they were made.
 *
 * {@snippet class="dev.jurom.RdmoTargetTest" region="writer"}
 *
 * <p>Requests are not answered: a {@link #flush} is, when all before it are in the target's memory.
 * Places are counted from the beginning of that memory. So many requests are on their way at a time
 * (128): the next one waits.
 *
 * <p>A daemon thread of its own has the {@link RdmoPeer} that this stands for.
 */
public final class RdmoWriter implements AutoCloseable {

    /** How long a request waits for room, and a flush for its answer: 30 seconds. */
    public static final Duration DEFAULT_TIMEOUT = RdmoPeer.DEFAULT_TIMEOUT;

    private static final int LONGEST_VECTOR = 65_535;
    private static final long LONGEST_REQUEST = 64 << 20;
    private static final long VECTOR_HEAD = 24; // a bound of what a vector takes besides

    private static final int QUEUED_AT_MOST = 64;
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);
    private static final Duration LAST_CHANCE = Duration.ofSeconds(2); // for queued requests
    private static final Duration DEADLINE_STEP = Duration.ofMillis(10); // while flushes wait

    private final Thread thread = Thread.ofPlatform()
            .daemon()
            .name("urom-rdmo")
            .unstarted(this::run); // has the peer, and carries out what others queue
    private final CompletableFuture<byte[]> opened = new CompletableFuture<>();
    private final Semaphore room = new Semaphore(QUEUED_AT_MOST);
    private final Queue<Consumer<RdmoPeer>> queue = new ConcurrentLinkedQueue<>();
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet(); // for answers
    private final Closing closing = new Closing();
    private final Object life = new Object();
    private volatile @Nullable RdmoInvitation invitation; // null: not connected
    private @Nullable RdmoPeer awake; // to be woken; null before and after; guarded by life
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure; // of the first thing that failed, for good

    /** A request to be answered by a deadline, begun or not. */
    private static final class Waiting {

        final CompletableFuture<Void> future = new CompletableFuture<>();
        final Deadline deadline;

        @Nullable
        RdmoFlush flush; // the thread's own; null: it was not begun, or is none

        Waiting(Duration timeout) {
            deadline = Deadline.in(timeout);
        }

        boolean isOver() {
            return flush != null && flush.isDone() || deadline.remaining() == 0;
        }
    }

    private RdmoWriter() {}

    /**
     * Opens a writer that is not connected yet.
     *
     * @return the writer, to be closed
     * @throws RuntimeException if UCX does not work here: the message says how to install it
     */
    public static RdmoWriter open() {
        var writer = new RdmoWriter();
        writer.thread.start();
        Deadline.in(Deadline.PATIENCE).await(writer.opened, "the start of an " + writer);
        return writer;
    }

    /**
     * Who this is: what a target {@linkplain RdmoTarget#invite invites}. Each writer needs an
     * invitation of its own.
     *
     * @return bytes to be sent to the target
     */
    public byte[] introduction() {
        return opened.resultNow().clone();
    }

    /**
     * Connects to a target. Takes a minute at most; an interrupt is kept for later.
     *
     * @param to what the target gave for this writer's introduction
     * @throws IllegalStateException if this is connected or closed
     * @throws RuntimeException if UCX does not reach the worker: it is on another machine, say, and
     *         {@code UCX_TLS} is not set here and there
     */
    public void connect(RdmoInvitation to) {
        connect(to.workerAddress(), to.client());
        invitation = to;
    }

    private void connect(byte[] worker, long client) {
        requireUsable();
        var done = new Waiting(Deadline.PATIENCE);
        ask(done, peer -> {
            try {
                peer.connect(worker, client);
                end(done, null);
            } catch (RuntimeException e) {
                end(done, e);
            }
        });
        done.deadline.await(done.future, "a request of the " + this);
    }

    /**
     * How long the target's memory is.
     *
     * @return bytes, at least 1
     * @throws IllegalStateException if this is not connected
     */
    public long length() {
        return connected().length();
    }

    /**
     * Appends bytes as {@link #append(long, MemorySegment, boolean)} does, without a fence.
     *
     * @param pointer the offset of the pointer
     * @param bytes the bytes to append, at most 64 MiB; copied
     * @throws InterruptedException if the current thread is interrupted while it waits for room
     */
    public void append(long pointer, byte[] bytes) throws InterruptedException {
        append(pointer, MemorySegment.ofArray(bytes), false);
    }

    /**
     * Writes bytes to the address in a pointer in the target's memory, and moves the pointer behind
     * them. Appends of all writers are carried out one after the other. Blocks until there is room,
     * for at most {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_APPEND} and
     * {@code UROM_RDMO_REQ_FLAG_FENCE}.
     *
     * @param pointer the offset of the pointer
     * @param bytes the bytes to append, at most 64 MiB; copied
     * @param fence whether all earlier requests of this writer are carried out before this one,
     *        which may overlap them
     * @throws IllegalArgumentException if there are too many bytes
     * @throws IndexOutOfBoundsException if the pointer is not in the target's memory
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException with {@code TIME_OUT} if the target accepts no requests: this one was
     *         not sent; {@code IO_FAILED} if an earlier one could not be sent: open another writer
     * @throws InterruptedException if the current thread is interrupted while it waits for room; the
     *         request was not sent
     */
    public void append(long pointer, MemorySegment bytes, boolean fence) throws InterruptedException {
        var to = connected();
        Objects.checkFromIndexSize(pointer, Long.BYTES, to.length());
        requireShort(bytes.byteSize());
        var data = copy(bytes);
        takeRoom(DEFAULT_TIMEOUT);
        add(peer -> {
            room.release();
            peer.append(to.address() + pointer, to.key(), to.key(), data, flags(fence), Duration.ZERO);
        });
    }

    /**
     * Writes bytes as {@link #scatter(Map, boolean)} does, to one offset and without a fence.
     *
     * @param offset the offset of the first byte
     * @param bytes the bytes to write, at most about 64 MiB; copied
     * @throws InterruptedException if the current thread is interrupted while it waits for room
     */
    public void write(long offset, byte[] bytes) throws InterruptedException {
        write(offset, MemorySegment.ofArray(bytes), false);
    }

    /**
     * Writes bytes as {@link #scatter(Map, boolean)} does, to one offset.
     *
     * @param offset the offset of the first byte
     * @param bytes the bytes to write, at most about 64 MiB; copied
     * @param fence whether all earlier requests of this writer are carried out before this one
     * @throws InterruptedException if the current thread is interrupted while it waits for room
     */
    public void write(long offset, MemorySegment bytes, boolean fence) throws InterruptedException {
        scatter(Map.of(offset, bytes), fence);
    }

    /**
     * Writes bytes to several offsets, in any order; either all or none are written. Blocks until
     * there is room, for at most {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_SCATTER}
     * and {@code UROM_RDMO_REQ_FLAG_FENCE}.
     *
     * @param pieces the bytes to write, by their offsets, together at most about 64 MiB; copied
     * @param fence whether all earlier requests of this writer are carried out before this one,
     *        which may overlap them
     * @throws IllegalArgumentException if there are too many bytes
     * @throws IndexOutOfBoundsException if a piece does not fit into the target's memory
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException as {@link #append(long, MemorySegment, boolean)}
     * @throws InterruptedException if the current thread is interrupted while it waits for room
     */
    public void scatter(Map<Long, MemorySegment> pieces, boolean fence) throws InterruptedException {
        var to = connected();
        var vectors = new ArrayList<ScatterVector>();
        requireShort(pieces.values().stream().mapToLong(MemorySegment::byteSize).sum());
        pieces.forEach((offset, bytes) -> split(to, offset, copy(bytes), vectors));
        requireShort(vectors.stream()
                .mapToLong(vector -> vector.data().byteSize() + VECTOR_HEAD)
                .sum());
        takeRoom(DEFAULT_TIMEOUT);
        add(peer -> {
            room.release();
            peer.scatter(vectors, flags(fence), Duration.ZERO);
        });
    }

    private static MemorySegment copy(MemorySegment bytes) {
        return MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    private static long flags(boolean fence) {
        return fence ? RdmoRequest.FENCE : 0;
    }

    /** A vector is no longer than 16 bits can say. */
    private static void split(RdmoInvitation to, long offset, MemorySegment bytes, List<ScatterVector> vectors) {
        var length = bytes.byteSize();
        Objects.checkFromIndexSize(offset, length, to.length());
        for (var at = 0L; at < length; at += LONGEST_VECTOR) {
            vectors.add(new ScatterVector(
                    to.address() + offset + at, to.key(), bytes.asSlice(at, Math.min(LONGEST_VECTOR, length - at))));
        }
    }

    private static void requireShort(long length) {
        if (length > LONGEST_REQUEST) {
            throw new IllegalArgumentException(
                    "A request of " + length + " bytes is too long: " + LONGEST_REQUEST + " is the most");
        }
    }

    /**
     * Asks to be told when all requests before this are in the target's memory, within
     * {@link #DEFAULT_TIMEOUT}. Waits for room, not for the answer. Stands for
     * {@code UROM_RDMO_OP_FLUSH}.
     *
     * @return done when they are; fails with a {@link DocaException} that says how many of this
     *         writer's requests since the last flush were refused, and why, or with
     *         {@code TIME_OUT}. What depends on it runs in a virtual thread
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException as {@link #append(long, MemorySegment, boolean)}
     * @throws InterruptedException if the current thread is interrupted while it waits for room
     */
    public CompletableFuture<Void> flush() throws InterruptedException {
        return flush(DEFAULT_TIMEOUT);
    }

    /**
     * Asks to be told when all requests before this are in the target's memory, within some time.
     *
     * @param timeout how long to wait for room, and how long for the answer
     * @return as {@link #flush()}
     * @throws IllegalArgumentException if the timeout is not positive
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException as {@link #append(long, MemorySegment, boolean)}
     * @throws InterruptedException if the current thread is interrupted while it waits for room
     */
    public CompletableFuture<Void> flush(Duration timeout) throws InterruptedException {
        Timeout.requirePositive("The timeout of a flush", timeout);
        connected();
        takeRoom(timeout);
        var flush = new Waiting(timeout);
        ask(flush, peer -> {
            room.release();
            if (!flush.future.isDone()) {
                flush.flush = peer.beginFlush(0);
            }
        });
        return flush.future;
    }

    private void run() {
        RdmoPeer peer;
        try {
            peer = RdmoPeer.open();
        } catch (RuntimeException | Error e) {
            fail(e);
            closing.ended();
            return;
        }
        try {
            synchronized (life) {
                awake = peer;
            }
            opened.complete(peer.address());
            serve(peer);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
        close(peer);
    }

    /** Closes the peer, which only this thread can, and after a failure again for each attempt. */
    private void close(RdmoPeer peer) {
        while (!closing.isEnded()) {
            try {
                peer.close();
                closing.ended();
            } catch (RuntimeException | Error e) {
                closing.failed(e);
            }
            while (closing.hasFailed()) {
                LockSupport.parkNanos(this, LONGEST_SLEEP.toNanos());
            }
        }
    }

    private void serve(RdmoPeer peer) {
        try {
            while (!closed) {
                var worked = step(peer);
                if (!worked && !closed) {
                    peer.sleep(waiting.isEmpty() ? LONGEST_SLEEP : DEADLINE_STEP);
                }
            }
            var last = Deadline.in(LAST_CHANCE);
            while (!queue.isEmpty() && last.remaining() > 0) {
                step(peer); // requests that were queued before are sent
            }
        } finally {
            synchronized (life) {
                awake = null;
            }
        }
        fail(closedException());
    }

    private boolean step(RdmoPeer peer) {
        var worked = false;
        while (peer.hasRoom() && queue.peek() != null) {
            queue.remove().accept(peer);
            worked = true;
        }
        return peer.progress() | tellFlushes(peer) | worked;
    }

    private boolean tellFlushes(RdmoPeer peer) {
        var worked = false;
        for (var one : waiting) {
            if (one.isOver()) {
                end(one, failureOf(one, peer));
                worked = true;
            }
        }
        return worked;
    }

    /** Why something failed that is over; null if it did not. */
    private @Nullable RuntimeException failureOf(Waiting one, RdmoPeer peer) {
        if (one.flush == null || !one.flush.isDone()) {
            if (one.flush != null) {
                peer.abandon(one.flush);
            }
            return one.deadline.failure("a request of the " + this);
        }
        try {
            one.flush.requireSuccess();
            return null;
        } catch (DocaException e) {
            return e;
        }
    }

    /** Dependent actions run on a thread of their own: they may wait for the next answer. */
    private void end(Waiting one, @Nullable Throwable reason) {
        if (waiting.remove(one)) {
            Thread.ofVirtual().start(() -> {
                if (reason == null) {
                    one.future.complete(null);
                } else {
                    one.future.completeExceptionally(reason);
                }
            });
        }
    }

    /** Nothing more is carried out, for this reason. */
    private void fail(Throwable reason) {
        failure = reason instanceof RuntimeException exception
                ? exception
                : new IllegalStateException(this + " has failed", reason);
        opened.completeExceptionally(reason);
        waiting.forEach(one -> end(one, failure));
        room.release(); // a waiting thread sees the failure, and passes the permit on
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }

    private void takeRoom(Duration timeout) throws InterruptedException {
        requireUsable();
        if (!room.tryAcquire(Timeout.nanos(timeout), TimeUnit.NANOSECONDS)) {
            throw new DocaException(
                    DocaError.TIME_OUT,
                    RdmoPlugin.NAME,
                    toString(),
                    "The target has taken no request within " + Timeout.text(timeout)
                            + ", and this one was not sent: check that its worker runs.");
        }
        if (closed || failure != null) {
            room.release(); // the next waiting thread sees it
            requireUsable();
        }
    }

    /** Queues a request to be answered, which fails if the thread has ended. */
    private void ask(Waiting one, Consumer<RdmoPeer> request) {
        waiting.add(one);
        add(request);
        var reason = failure;
        if (reason != null) {
            end(one, reason);
        }
    }

    private void add(Consumer<RdmoPeer> request) {
        queue.add(request);
        synchronized (life) {
            if (awake != null) {
                awake.wake();
            }
        }
    }

    private void requireUsable() {
        if (closed) {
            throw closedException();
        }
        var reason = failure;
        if (reason != null) {
            throw reason;
        }
    }

    private RdmoInvitation connected() {
        var to = invitation;
        if (to == null) {
            throw new IllegalStateException("This RDMO writer is not connected: give its"
                    + " introduction to a target, and connect with the invitation");
        }
        return to;
    }

    /**
     * Closes this after what was sent has left, which is given some seconds. Flush before, to know
     * that it has arrived: flushes that are not answered fail. No effect if it is closed. An
     * interrupt is kept for later.
     *
     * @throws DocaException with {@code TIME_OUT} if it was not closed within a minute; call this
     *         method again
     * @throws IllegalStateException if UCX could not be closed; call this method again
     */
    @Override
    public void close() {
        closed = true;
        var attempt = closing.attempt().copy();
        synchronized (life) {
            if (awake != null) {
                awake.wake();
            }
        }
        LockSupport.unpark(thread);
        var deadline = Deadline.in(Deadline.PATIENCE);
        deadline.await(attempt, "the close of the " + this);
        deadline.join(thread);
    }

    @Override
    public String toString() {
        var to = invitation;
        return to == null ? "RDMO writer, not connected" : "RDMO writer with an " + to;
    }
}

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
 * A peer that writes to the memory of a {@link RdmoTarget} of this or another process. It needs no
 * {@link Urom} and no service: it sends its requests directly to the target's worker, which executes
 * them in the order of the calls. This class is thread-safe.
 *
 * {@snippet class="dev.jurom.RdmoTargetTest" region="writer"}
 *
 * <p>The worker does not answer single requests. It answers a {@link #flush} when all earlier requests
 * have been executed. Offsets are relative to the beginning of the target's memory. At most 128 requests
 * are queued or in flight; another request waits.
 *
 * <p>A daemon thread per writer owns the {@link RdmoPeer} that executes the requests.
 */
public final class RdmoWriter implements AutoCloseable {

    /** The default maximum time that a request waits to be queued, and a flush for its answer: 30 seconds. */
    public static final Duration DEFAULT_TIMEOUT = RdmoPeer.DEFAULT_TIMEOUT;

    private static final int LONGEST_VECTOR = 65_535;
    private static final long LONGEST_REQUEST = 64 << 20;
    private static final long VECTOR_HEAD = 24; // the maximum header size of a vector

    private static final int QUEUED_AT_MOST = 64;
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);
    private static final Duration LAST_CHANCE = Duration.ofSeconds(2); // for queued requests
    private static final Duration DEADLINE_STEP = Duration.ofMillis(10); // while flushes wait

    private final Thread thread = Thread.ofPlatform()
            .inheritInheritableThreadLocals(false)
            .daemon()
            .name("urom-rdmo")
            .unstarted(this::run); // owns the peer and executes queued requests
    private final CompletableFuture<byte[]> opened = new CompletableFuture<>();
    private final Semaphore room = new Semaphore(QUEUED_AT_MOST);
    private final Queue<Consumer<RdmoPeer>> queue = new ConcurrentLinkedQueue<>();
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet(); // for answers
    private final Closing closing = new Closing();
    private final Object life = new Object();
    private volatile @Nullable RdmoInvitation invitation; // null: not connected
    private @Nullable RdmoPeer awake; // the peer while the thread may sleep in it; guarded by life
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure; // the first failure, which is permanent

    /** A request to be answered by a deadline. */
    private static final class Waiting {

        final CompletableFuture<Void> future = new CompletableFuture<>();
        final Deadline deadline;

        @Nullable
        RdmoFlush flush; // confined to the thread; null: not begun, or not a flush

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
     * @throws DocaException with {@code INITIALIZATION} if UCX cannot be used
     * @throws dev.jurom.runtime.LibraryLoadException if UCX is not installed; the message states how to install it
     */
    public static RdmoWriter open() {
        var writer = new RdmoWriter();
        writer.thread.start();
        Deadline.in(Deadline.OPERATION_TIMEOUT).await(writer.opened, "the start of an " + writer);
        return writer;
    }

    /**
     * Returns the introduction, which a target needs to {@linkplain RdmoTarget#invite invite} this writer.
     * Each writer needs its own invitation.
     *
     * @return bytes, which the application sends to the target
     */
    public byte[] introduction() {
        return opened.resultNow().clone();
    }

    /**
     * Connects to a target. Blocks for at most one minute. Not interruptible: the interrupt status is
     * preserved.
     *
     * @param to the target's invitation for this writer's introduction
     * @throws IllegalStateException if this is connected or closed
     * @throws DocaException with {@code IO_FAILED} if UCX does not reach the worker, for instance because it is on
     *         another machine and {@code UCX_TLS} is not set on both
     */
    public void connect(RdmoInvitation to) {
        connect(to.workerAddress(), to.client());
        invitation = to;
    }

    private void connect(byte[] worker, long client) {
        requireUsable();
        var done = new Waiting(Deadline.OPERATION_TIMEOUT);
        submit(done, peer -> {
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
     * Returns the length of the target's memory.
     *
     * @return the length in bytes, at least 1
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
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public void append(long pointer, byte[] bytes) throws InterruptedException {
        append(pointer, MemorySegment.ofArray(bytes), false);
    }

    /**
     * Writes bytes to the address in a pointer in the target's memory, and advances the pointer past
     * them. Appends of all writers are serialized. While too many requests are queued, blocks for at
     * most {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_APPEND} and
     * {@code UROM_RDMO_REQ_FLAG_FENCE}.
     *
     * @param pointer the offset of the pointer
     * @param bytes the bytes to append, at most 64 MiB; copied
     * @param fence true to complete all earlier requests of this writer before this one, which may
     *        overlap them otherwise
     * @throws IllegalArgumentException if there are too many bytes
     * @throws IndexOutOfBoundsException if the pointer is not in the target's memory
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException with {@code TIME_OUT} if the request could not be queued in time;
     *         {@code IO_FAILED} if an earlier request could not be sent: open another writer
     * @throws InterruptedException if the current thread is interrupted while waiting; the
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
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public void write(long offset, byte[] bytes) throws InterruptedException {
        write(offset, MemorySegment.ofArray(bytes), false);
    }

    /**
     * Writes bytes as {@link #scatter(Map, boolean)} does, to one offset.
     *
     * @param offset the offset of the first byte
     * @param bytes the bytes to write, at most about 64 MiB; copied
     * @param fence true to complete all earlier requests of this writer before this one
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public void write(long offset, MemorySegment bytes, boolean fence) throws InterruptedException {
        scatter(Map.of(offset, bytes), fence);
    }

    /**
     * Writes bytes to several offsets, in any order, all or none. While too many requests are queued,
     * blocks for at most {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_SCATTER}
     * and {@code UROM_RDMO_REQ_FLAG_FENCE}.
     *
     * @param pieces the bytes to write, by their offsets, together at most about 64 MiB; copied
     * @param fence true to complete all earlier requests of this writer before this one, which may
     *        overlap them otherwise
     * @throws IllegalArgumentException if there are too many bytes
     * @throws IndexOutOfBoundsException if a piece does not fit into the target's memory
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException as {@link #append(long, MemorySegment, boolean)}
     * @throws InterruptedException if the current thread is interrupted while waiting
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

    /** Splits bytes into vectors, whose length has 16 bits. */
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
                    "A request of " + length + " bytes is too long: the maximum is " + LONGEST_REQUEST);
        }
    }

    /**
     * Requests an answer of the worker once all earlier requests have been executed. The answer fails
     * with {@code TIME_OUT} after {@link #DEFAULT_TIMEOUT}. Blocks for at most that time until the
     * request is queued, but not for the answer. Stands for {@code UROM_RDMO_OP_FLUSH}.
     *
     * @return a future that completes when the data of earlier requests is in the target's memory. If the
     *         worker rejected requests since the last flush, it fails with a {@link DocaException} with
     *         their number and the first reason. Dependent actions run in a virtual thread
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException as {@link #append(long, MemorySegment, boolean)}
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public CompletableFuture<Void> flush() throws InterruptedException {
        return flush(DEFAULT_TIMEOUT);
    }

    /**
     * Requests an answer of the worker once all earlier requests have been executed, as {@link #flush()}
     * with another timeout.
     *
     * @param timeout the maximum time to wait until the request is queued, and then for the answer
     * @return as {@link #flush()}
     * @throws IllegalArgumentException if the timeout is not positive
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException as {@link #append(long, MemorySegment, boolean)}
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public CompletableFuture<Void> flush(Duration timeout) throws InterruptedException {
        Timeout.requirePositive("The timeout of a flush", timeout);
        connected();
        takeRoom(timeout);
        var flush = new Waiting(timeout);
        submit(flush, peer -> {
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

    /** Closes the peer, which belongs to this thread. After a failure, tries again in each call of close(). */
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
        return peer.progress() | completeRequests(peer) | worked;
    }

    private boolean completeRequests(RdmoPeer peer) {
        var worked = false;
        for (var one : waiting) {
            if (one.isOver()) {
                end(one, failureOf(one, peer));
                worked = true;
            }
        }
        return worked;
    }

    /** Returns the failure of a request that has ended; null if it succeeded. */
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

    /** Completes a request on its own thread, because dependent actions may wait for the next answer. */
    private void end(Waiting one, @Nullable Throwable reason) {
        if (waiting.remove(one)) {
            Thread.ofVirtual().inheritInheritableThreadLocals(false).start(() -> {
                if (reason == null) {
                    one.future.complete(null);
                } else {
                    one.future.completeExceptionally(reason);
                }
            });
        }
    }

    /** Fails all requests from now on. */
    private void fail(Throwable reason) {
        failure = reason instanceof RuntimeException exception
                ? exception
                : new IllegalStateException(this + " has failed", reason);
        opened.completeExceptionally(reason);
        waiting.forEach(one -> end(one, failure));
        room.release(); // the next waiting thread throws the failure and releases the permit again
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
                    "The target's worker received no request within " + Timeout.text(timeout)
                            + ", and this request was not sent: check that the worker runs.");
        }
        if (closed || failure != null) {
            room.release(); // for the next waiting thread, which throws as well
            requireUsable();
        }
    }

    /** Queues a request to be answered, which fails if the thread has ended. */
    private void submit(Waiting one, Consumer<RdmoPeer> request) {
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
            throw new IllegalStateException("This RDMO writer is not connected: send its"
                    + " introduction to a target, and connect with the invitation");
        }
        return to;
    }

    /**
     * Closes this writer once its requests have been sent, but after a few seconds at most. Wait for a
     * {@link #flush} first to ensure that the worker has executed them: pending flushes fail. No effect if
     * this is closed. Blocks for at most one minute. Not interruptible: the interrupt status is preserved.
     *
     * @throws DocaException with {@code TIME_OUT} if it takes longer; call this method again
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
        var deadline = Deadline.in(Deadline.OPERATION_TIMEOUT);
        deadline.await(attempt, "the close of the " + this);
        deadline.join(thread);
    }

    @Override
    public String toString() {
        var to = invitation;
        return to == null ? "RDMO writer, not connected" : "RDMO writer with an " + to;
    }
}

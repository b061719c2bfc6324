// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import dev.jurom.internal.Deadline;
import dev.jurom.plugin.rdmo.RdmoFlush;
import dev.jurom.plugin.rdmo.RdmoPeer;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.plugin.rdmo.RdmoRequest;
import dev.jurom.plugin.rdmo.ScatterVector;
import java.lang.foreign.MemorySegment;
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
import java.util.concurrent.atomic.AtomicBoolean;
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

    private final Thread thread = Thread.ofPlatform().daemon().name("urom-rdmo")
            .unstarted(this::run); // has the peer, and carries out what others queue
    private final CompletableFuture<byte[]> opened = new CompletableFuture<>();
    private final Semaphore room = new Semaphore(QUEUED_AT_MOST);
    private final Queue<Consumer<RdmoPeer>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean fenced = new AtomicBoolean(); // the next request waits for others
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet(); // for answers
    private final Object life = new Object();
    private volatile @Nullable RdmoInvitation invitation; // null: not connected
    private @Nullable RdmoPeer awake; // to be woken; null before and after; guarded by life
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure; // of the first thing that failed, for good

    /** A request to be answered by a deadline, begun or not. */
    private static final class Waiting {

        final CompletableFuture<Void> future = new CompletableFuture<>();
        final Deadline deadline;
        @Nullable RdmoFlush flush; // the thread's own; null: it was not begun, or is none

        Waiting(Duration timeout) {
            deadline = Deadline.in(timeout);
        }

        boolean isOver() {
            return flush != null && flush.isDone() || deadline.remaining() == 0;
        }
    }

    private RdmoWriter() {
    }

    /**
     * Opens a writer that is not connected yet.
     *
     * @return the writer, to be closed
     * @throws RuntimeException if UCX does not work here: the message says how to install it
     */
    public static RdmoWriter open() {
        var writer = new RdmoWriter();
        writer.thread.start();
        Deadline.in(Deadline.PATIENCE).await(writer.opened, writer);
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
        done.deadline.await(done.future, this);
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
     * Has bytes written to where a pointer in the target's memory points, and the pointer moved
     * behind them. Appends of all writers come one after the other. Waits for room up to
     * {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_APPEND}.
     *
     * @param pointer where the pointer lies
     * @param bytes what to append, up to 64 MiB; copied
     * @throws IllegalArgumentException if they are too many
     * @throws IndexOutOfBoundsException if the pointer is not in the target's memory
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException with {@code TIME_OUT} if the target takes no requests: this one was not
     *         sent; {@code IO_FAILED} if an earlier one could not be sent: open another writer
     * @throws InterruptedException if the calling thread is interrupted while it waits: the request
     *         was not sent
     */
    public void append(long pointer, byte[] bytes) throws InterruptedException {
        var to = connected();
        Objects.checkFromIndexSize(pointer, Long.BYTES, to.length());
        requireShort(bytes.length);
        var data = MemorySegment.ofArray(bytes.clone());
        takeRoom(DEFAULT_TIMEOUT);
        var flags = flags();
        add(peer -> {
            room.release();
            peer.append(to.address() + pointer, to.key(), to.key(), data, flags, Duration.ZERO);
        });
    }

    /**
     * Has bytes written to a place. Waits for room up to {@link #DEFAULT_TIMEOUT}. Stands for
     * {@code UROM_RDMO_OP_SCATTER}.
     *
     * @param place where they go
     * @param bytes what to write, up to about 64 MiB; copied
     * @throws IllegalArgumentException if they are too many
     * @throws IndexOutOfBoundsException if they do not fit into the target's memory there
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException as {@link #append}
     * @throws InterruptedException as {@link #append}
     */
    public void write(long place, byte[] bytes) throws InterruptedException {
        scatter(Map.of(place, bytes));
    }

    /**
     * Has bytes written to several places: in any order, all or none. Waits for room up to
     * {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_SCATTER}.
     *
     * @param pieces what to write, by where it goes: together up to about 64 MiB; copied
     * @throws IllegalArgumentException if they are too many
     * @throws IndexOutOfBoundsException if one does not fit into the target's memory
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException as {@link #append}
     * @throws InterruptedException as {@link #append}
     */
    public void scatter(Map<Long, byte[]> pieces) throws InterruptedException {
        var to = connected();
        var vectors = new ArrayList<ScatterVector>();
        pieces.forEach((place, bytes) -> split(to, place, bytes.clone(), vectors));
        requireShort(vectors.stream()
                .mapToLong(vector -> vector.data().byteSize() + VECTOR_HEAD).sum());
        takeRoom(DEFAULT_TIMEOUT);
        var flags = flags();
        add(peer -> {
            room.release();
            peer.scatter(vectors, flags, Duration.ZERO);
        });
    }

    /** A vector is no longer than 16 bits can say. */
    private static void split(RdmoInvitation to, long place, byte[] bytes,
            List<ScatterVector> vectors) {
        Objects.checkFromIndexSize(place, bytes.length, to.length());
        var all = MemorySegment.ofArray(bytes);
        for (var at = 0L; at < bytes.length; at += LONGEST_VECTOR) {
            vectors.add(new ScatterVector(to.address() + place + at, to.key(),
                    all.asSlice(at, Math.min(LONGEST_VECTOR, bytes.length - at))));
        }
    }

    private static void requireShort(long length) {
        if (length > LONGEST_REQUEST) {
            throw new IllegalArgumentException("A request of " + length + " bytes is too long: "
                    + LONGEST_REQUEST + " is the most");
        }
    }

    /**
     * Has the next request wait until all before it have been carried out, for one that overlaps
     * them. Never waits itself. Stands for {@code UROM_RDMO_REQ_FLAG_FENCE}.
     *
     * @throws IllegalStateException if this is not connected, or closed
     */
    public void fence() {
        connected();
        requireUsable();
        fenced.set(true);
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
     * @throws DocaException as {@link #append}
     * @throws InterruptedException as {@link #append}
     */
    public CompletableFuture<Void> flush() throws InterruptedException {
        return flush(DEFAULT_TIMEOUT);
    }

    /**
     * Asks to be told when all requests before this are in the target's memory, within some time.
     *
     * @param timeout how long to wait for room, and how long for the answer
     * @return as {@link #flush()}
     * @throws IllegalStateException if this is not connected, or closed
     * @throws DocaException as {@link #append}
     * @throws InterruptedException as {@link #append}
     */
    public CompletableFuture<Void> flush(Duration timeout) throws InterruptedException {
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
        try (var peer = RdmoPeer.open()) {
            synchronized (life) {
                awake = peer;
            }
            opened.complete(peer.address());
            serve(peer);
        } catch (RuntimeException | Error e) {
            fail(e);
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
            return one.deadline.failure(this);
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
        failure = reason instanceof RuntimeException exception ? exception
                : new IllegalStateException(this + " has failed", reason);
        opened.completeExceptionally(reason);
        waiting.forEach(one -> end(one, failure));
        room.release(); // a waiting thread sees the failure, and passes the permit on
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }

    private long flags() {
        return fenced.getAndSet(false) ? RdmoRequest.FENCE : 0;
    }

    private void takeRoom(Duration timeout) throws InterruptedException {
        requireUsable();
        if (!room.tryAcquire(Timeout.nanos(timeout), TimeUnit.NANOSECONDS)) {
            throw new DocaException(DocaError.TIME_OUT, RdmoPlugin.NAME, toString(),
                    "The target has taken no request within " + timeout
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
     * @throws DocaException with {@code TIME_OUT} if it was not closed within a minute
     */
    @Override
    public void close() {
        closed = true;
        synchronized (life) {
            if (awake != null) {
                awake.wake();
            }
        }
        var deadline = Deadline.in(Deadline.PATIENCE);
        deadline.join(thread);
        if (thread.isAlive()) {
            throw deadline.failure(this);
        }
    }

    @Override
    public String toString() {
        var to = invitation;
        return to == null ? "RDMO writer, not connected" : "RDMO writer with an " + to;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import dev.jurom.plugin.rdmo.RdmoFlush;
import dev.jurom.plugin.rdmo.RdmoPeer;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import dev.jurom.plugin.rdmo.RdmoRequest;
import dev.jurom.plugin.rdmo.ScatterVector;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
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
 * An RDMO peer for any thread, with a daemon thread of its own: that one has the peer, and carries
 * out in their order what others queue. So many may be queued; the next one waits. The facade's
 * {@code RdmoWriter} stands for one, and says what its callers may rely on.
 */
public final class DrivenPeer {

    private static final int QUEUED_AT_MOST = 64;
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);
    private static final Duration LAST_CHANCE = Duration.ofSeconds(2); // of what is queued
    private static final Duration DEADLINE_STEP = Duration.ofMillis(10); // while flushes wait

    private final CompletableFuture<byte[]> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Semaphore room = new Semaphore(QUEUED_AT_MOST);
    private final Queue<Consumer<RdmoPeer>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean fenced = new AtomicBoolean(); // the next request waits for others
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet(); // for answers
    private final Object life = new Object();
    private @Nullable RdmoPeer awake; // who can be woken; null before and after; guarded by life
    private volatile boolean closed;
    private volatile @Nullable RuntimeException failure; // of the first thing that failed, for good

    /** What is to be answered, by a deadline, whether or not it has been begun. */
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

    private DrivenPeer() {
    }

    /**
     * Opens a peer that is not connected yet, within a minute.
     *
     * @return to be closed
     */
    public static DrivenPeer open() {
        var peer = new DrivenPeer();
        Thread.ofPlatform().daemon().name("urom-rdmo").start(peer::run);
        DrivenService.waitFor(peer.opened, Deadline.in(DrivenService.PATIENCE));
        return peer;
    }

    /**
     * Where the worker finds this peer.
     *
     * @return the address of its UCP worker
     */
    public byte[] address() {
        return opened.resultNow().clone();
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
        } finally {
            ended.complete(null);
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
                step(peer); // what was queued before leaves before
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

    /** What depends on an answer runs elsewhere: it may wait for the next one. */
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
        room.release(); // who waits for it sees why not, and passes it on
    }

    private IllegalStateException closedException() {
        return new IllegalStateException(this + " is closed");
    }

    /**
     * Connects, within a minute. An interrupt is kept for later.
     *
     * @param worker the address of the target's worker
     * @param client by what requests name the target
     */
    public void connect(byte[] worker, long client) {
        requireUsable();
        var done = new Waiting(DrivenService.PATIENCE);
        ask(done, peer -> {
            try {
                peer.connect(worker, client);
                end(done, null);
            } catch (RuntimeException e) {
                end(done, e);
            }
        });
        DrivenService.waitFor(done.future, done.deadline);
    }

    /**
     * Queues an append.
     *
     * @param pointer the address of the pointer in the target
     * @param key of the region that it is in, and points into
     * @param data what to append; must not change any more
     * @param timeout how long to wait for room
     * @throws InterruptedException if the calling thread is interrupted while it waits
     */
    public void append(long pointer, long key, byte[] data, Duration timeout)
            throws InterruptedException {
        takeRoom(timeout);
        var flags = flags();
        add(peer -> {
            room.release();
            peer.append(pointer, key, key, MemorySegment.ofArray(data), flags, Duration.ZERO);
        });
    }

    /**
     * Queues a scatter.
     *
     * @param vectors what to write; must not change any more
     * @param timeout how long to wait for room
     * @throws InterruptedException if the calling thread is interrupted while it waits
     */
    public void scatter(List<ScatterVector> vectors, Duration timeout)
            throws InterruptedException {
        takeRoom(timeout);
        var flags = flags();
        add(peer -> {
            room.release();
            peer.scatter(vectors, flags, Duration.ZERO);
        });
    }

    /** Has the next request wait until all before it have been carried out. */
    public void fence() {
        requireUsable();
        fenced.set(true);
    }

    /**
     * Queues a flush.
     *
     * @param timeout how long to wait for room, and for the answer
     * @return the answer to come
     * @throws InterruptedException if the calling thread is interrupted while it waits for room
     */
    public CompletableFuture<Void> flush(Duration timeout) throws InterruptedException {
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
            room.release(); // the next one that waits sees it, too
            requireUsable();
        }
    }

    /** Queues what is answered; by a failure if nobody carries it out any more. */
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

    /** Closes this after what was queued has left, within a minute. */
    public void close() {
        closed = true;
        synchronized (life) {
            if (awake != null) {
                awake.wake();
            }
        }
        DrivenService.waitFor(ended, Deadline.in(DrivenService.PATIENCE));
    }

    @Override
    public String toString() {
        return "RDMO writer";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Poll;
import dev.jurom.core.internal.Timeout;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.ucx.UcxContext;
import dev.jurom.ucx.UcxEndpoint;
import dev.jurom.ucx.UcxFeature;
import dev.jurom.ucx.UcxStatus;
import dev.jurom.ucx.UcxTransports;
import dev.jurom.ucx.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that works on another's memory: its requests go straight to the RDMO plugin of a
 * worker, which carries them out in the order in which they were sent. It needs no UROM service of
 * its own, and belongs to the thread that opened it.
 *
 * <p>At most 64 requests are on their way at a time. When the target takes none, the next one waits
 * until its time-out: then it was not sent, and may be tried again; those before it are under way.
 *
 * <p>Requests are not answered. A {@link #flush} is, when all before it are in the target's memory;
 * it tells how many of them were refused, and why. A request that reaches outside a region that was
 * registered is refused as a whole.
 *
 * <p>The peer must be known to the worker before it sends: give {@link #address()} to the target,
 * which creates a receive queue for it, and connect then.
 *
 * <p>Worker and peer are on one machine, unless the environment variable {@code UCX_TLS} names
 * transports for the network: see {@link dev.jurom.plugin.HostMemory} for what those open.
 */
public final class RdmoPeer implements AutoCloseable {

    /** How long a request waits for room where no other time-out is given: 30 seconds. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private static final int MESSAGE = 0; // UCX active message id of requests and responses
    private static final int MOST_ON_THEIR_WAY = 64;
    private static final long LONGEST_DATA = 64 << 20;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final int FRUITLESS_BEFORE_SLEEP = 2000;
    private static final Duration LONGEST_SLEEP = Duration.ofMillis(10);

    private final UcxContext context;
    private final UcxWorker worker;
    private final Arena arena = Arena.ofConfined();
    private final Poll poll;
    private final SendBuffers buffers = new SendBuffers();
    private final PendingFlushes flushes = new PendingFlushes(buffers);
    private @Nullable UcxEndpoint endpoint; // null: not connected
    private long client;
    private int failure = UcxStatus.OK; // of the first request that UCX could not send
    private boolean closed;

    private RdmoPeer() {
        DocaRuntime.current();
        context = UcxContext.open(EnumSet.of(UcxFeature.ACTIVE_MESSAGES, UcxFeature.WAKE_UP), UcxTransports.settings());
        try {
            worker = context.createWorker();
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
        poll = new Poll(arena, worker.eventDescriptor());
        worker.handle(MESSAGE, flushes::answered);
    }

    /**
     * Opens a peer that is not connected yet.
     *
     * @return the peer, to be closed
     * @throws RuntimeException if UCX does not work here
     */
    public static RdmoPeer open() {
        return new RdmoPeer();
    }

    /**
     * Where the worker finds this peer: what a target creates a receive queue for. Stands for
     * {@code ucp_worker_get_address}.
     *
     * @return the address of its UCP worker
     */
    public byte[] address() {
        requireOpen();
        return worker.address();
    }

    /**
     * Connects to a worker whose target has a receive queue for this peer.
     *
     * @param workerAddress what {@link RdmoPlugin#initializeClient} gave there
     * @param clientId the client on whose memory requests are to work
     * @throws IllegalStateException if this is connected or closed
     * @throws RuntimeException if UCX does not reach the worker: it is on another machine, say, and
     *         {@code UCX_TLS} is not set here and there
     */
    public void connect(byte[] workerAddress, long clientId) {
        requireOpen();
        if (endpoint != null) {
            throw new IllegalStateException("This peer is connected: open another one");
        }
        endpoint = worker.connect(workerAddress);
        client = clientId;
    }

    /**
     * Has data written to where a pointer in the target's memory points, and the pointer moved
     * behind it; waits for room up to {@link #DEFAULT_TIMEOUT}. Appends of all peers to one client
     * come one after the other. Stands for {@code UROM_RDMO_OP_APPEND}.
     *
     * @param pointerAddress where the pointer lies in the target
     * @param pointerKey the key of the region that the pointer is in
     * @param dataKey the key of the region that it points into
     * @param data what to append, up to 64 MiB; copied
     * @param flags 0, or {@link RdmoRequest#FENCE} to have all earlier requests finished first
     * @throws IllegalStateException if this is not connected
     * @throws DocaException with {@code TIME_OUT} if the target takes no requests,
     *         {@code IO_FAILED} if an earlier one could not be sent
     */
    public void append(long pointerAddress, long pointerKey, long dataKey, MemorySegment data, long flags) {
        append(pointerAddress, pointerKey, dataKey, data, flags, DEFAULT_TIMEOUT);
    }

    /**
     * Has data written to where a pointer in the target's memory points, and the pointer moved
     * behind it; waits for room for some time. Stands for {@code UROM_RDMO_OP_APPEND}.
     *
     * @param pointerAddress where the pointer lies in the target
     * @param pointerKey the key of the region that the pointer is in
     * @param dataKey the key of the region that it points into
     * @param data what to append, up to 64 MiB; copied
     * @param flags 0, or {@link RdmoRequest#FENCE} to have all earlier requests finished first
     * @param timeout how long to wait for room; zero or less: not at all
     * @throws IllegalStateException if this is not connected
     * @throws DocaException with {@code TIME_OUT} if the target takes no requests,
     *         {@code IO_FAILED} if an earlier one could not be sent
     */
    public void append(
            long pointerAddress, long pointerKey, long dataKey, MemorySegment data, long flags, Duration timeout) {
        connected();
        var length = requireLength(data.byteSize());
        awaitRoom(timeout);
        send(
                new RdmoRequest.Append(client, flags, pointerAddress, pointerKey, dataKey),
                filled(length, room -> MemorySegment.copy(data, 0, room, 0, length)),
                length);
    }

    /**
     * Has vectors written to where each says; in any order, and all or none. Waits for room up to
     * {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_SCATTER}.
     *
     * @param vectors what to write, each up to 65,535 bytes and together up to 64 MiB; copied
     * @param flags 0, or {@link RdmoRequest#FENCE} to have all earlier requests finished first
     * @throws IllegalStateException if this is not connected
     * @throws DocaException with {@code TIME_OUT} if the target takes no requests,
     *         {@code IO_FAILED} if an earlier one could not be sent
     */
    public void scatter(List<ScatterVector> vectors, long flags) {
        scatter(vectors, flags, DEFAULT_TIMEOUT);
    }

    /**
     * Has vectors written to where each says; in any order, and all or none. Waits for room for
     * some time. Stands for {@code UROM_RDMO_OP_SCATTER}.
     *
     * @param vectors what to write, each up to 65,535 bytes and together up to 64 MiB; copied
     * @param flags as for {@link #scatter(List, long)}
     * @param timeout how long to wait for room; zero or less: not at all
     * @throws IllegalStateException if this is not connected
     * @throws DocaException as {@link #scatter(List, long)} does
     */
    public void scatter(List<ScatterVector> vectors, long flags, Duration timeout) {
        connected();
        var length = 0L;
        for (var vector : vectors) {
            length += RdmoRequestCodec.VECTOR_SIZE + vector.data().byteSize();
        }
        requireLength(length);
        awaitRoom(timeout);
        send(
                new RdmoRequest.Scatter(client, flags, vectors.size()),
                filled(length, room -> RdmoRequestCodec.VECTORS.pack(vectors, room)),
                length);
    }

    /** Takes a buffer and fills it; returns it to the others if that fails. */
    private SendBuffers.Buffer filled(long length, Consumer<MemorySegment> fill) {
        var buffer = buffers.take(length);
        try {
            fill.accept(buffer.data());
            return buffer;
        } catch (RuntimeException | Error e) {
            buffers.give(buffer);
            throw e;
        }
    }

    /**
     * Asks to be told when all requests before this are in the target's memory; waits for room up
     * to {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_FLUSH}.
     *
     * @param flags 0 or {@link RdmoRequest#FENCE}, which changes nothing: a flush always waits
     * @return the flush; progress until it is done
     * @throws IllegalStateException if this is not connected
     * @throws DocaException with {@code TIME_OUT} if the target takes no requests,
     *         {@code IO_FAILED} if an earlier one could not be sent
     */
    public RdmoFlush beginFlush(long flags) {
        return beginFlush(flags, DEFAULT_TIMEOUT);
    }

    private RdmoFlush beginFlush(long flags, Duration timeout) {
        connected();
        awaitRoom(timeout);
        var flush = new RdmoFlush();
        send(new RdmoRequest.Flush(client, flags, flushes.add(flush)), buffers.take(0), 0);
        return flush;
    }

    /**
     * Waits until all requests before this are in the target's memory.
     *
     * @param timeout how long to wait
     * @throws IllegalArgumentException if the timeout is not positive
     * @throws DocaException if a request since the last flush was refused, or {@code TIME_OUT} if
     *         the worker does not answer: it may be gone, or not know this peer
     * @throws IllegalStateException if this is not connected
     */
    public void flush(Duration timeout) {
        var deadline = System.nanoTime() + Timeout.nanos(requirePositive(timeout));
        var flush = beginFlush(0, timeout);
        await(flush, timeout, deadline);
        flush.requireSuccess();
    }

    /**
     * Waits until a flush is done.
     *
     * @param flush one of this peer
     * @param timeout how long to wait
     * @throws IllegalArgumentException if the timeout is not positive
     * @throws DocaException with {@code TIME_OUT} if the worker does not answer
     */
    public void await(RdmoFlush flush, Duration timeout) {
        await(flush, timeout, System.nanoTime() + Timeout.nanos(requirePositive(timeout)));
    }

    private static Duration requirePositive(Duration timeout) {
        return Timeout.requirePositive("The timeout of a flush", timeout);
    }

    private void await(RdmoFlush flush, Duration timeout, long deadline) {
        if (!progressUntil(flush::isDone, deadline)) {
            abandon(flush);
            throw new DocaException(
                    DocaError.TIME_OUT,
                    RdmoPlugin.NAME,
                    "RDMO peer",
                    "The worker did not answer a flush within " + Timeout.text(timeout) + ": check that it runs,"
                            + " and that the target has created a receive queue for this peer.");
        }
    }

    /**
     * Forgets a flush: nobody waits for its answer any more.
     *
     * @param flush one of this peer
     */
    public void abandon(RdmoFlush flush) {
        flushes.remove(flush);
    }

    /** Waits until one more request may be on its way, before anything is taken for it. */
    private void awaitRoom(Duration timeout) {
        requireSent();
        if (!progressUntil(this::hasRoom, System.nanoTime() + Timeout.nanos(timeout))) {
            throw new DocaException(
                    DocaError.TIME_OUT,
                    RdmoPlugin.NAME,
                    "RDMO peer",
                    "The worker took none of the " + buffers.taken() + " requests that are on their" + " way within "
                            + Timeout.text(timeout) + ", and this one was not sent: check that it runs.");
        }
    }

    private boolean progressUntil(BooleanSupplier condition, long deadline) {
        var fruitless = 0;
        while (!condition.getAsBoolean()) {
            if (progress()) {
                fruitless = 0;
            } else if (++fruitless > FRUITLESS_BEFORE_SLEEP && worker.arm()) {
                poll.await(LONGEST_SLEEP);
            }
            if (System.nanoTime() - deadline > 0) {
                return condition.getAsBoolean();
            }
        }
        return true;
    }

    /**
     * Moves requests and answers on. Waiting does so by itself.
     *
     * @return whether anything moved
     * @throws DocaException with {@code IO_FAILED} if a request could not be sent
     */
    public boolean progress() {
        requireOpen();
        var moved = worker.progress();
        requireSent();
        return moved;
    }

    /**
     * Whether one more request may be on its way: none waits then.
     *
     * @return false while the target takes none
     */
    public boolean hasRoom() {
        return buffers.taken() < MOST_ON_THEIR_WAY;
    }

    /**
     * Sleeps until there is something to move, or another thread calls {@link #wake}.
     *
     * @param timeout how long at most
     */
    public void sleep(Duration timeout) {
        requireOpen();
        if (worker.arm()) { // else there is already
            poll.await(timeout);
        }
    }

    /**
     * Ends a {@link #sleep}, or else the next one. Any thread may call this, as long as this is
     * open. Stands for {@code ucp_worker_signal}.
     */
    public void wake() {
        worker.signal();
    }

    private void send(RdmoRequest request, SendBuffers.Buffer buffer, long length) {
        var header = buffer.header().asSlice(0, RdmoRequestCodec.pack(request, buffer.header()));
        connected()
                .send(MESSAGE, header, buffer.data().asSlice(0, length), UcxEndpoint.REPLY)
                .whenDone(status -> sent(buffer, status));
        requireSent();
    }

    private void sent(SendBuffers.Buffer buffer, int status) {
        buffers.give(buffer);
        if (status != UcxStatus.OK && failure == UcxStatus.OK) {
            failure = status;
        }
    }

    private void requireSent() {
        if (failure != UcxStatus.OK) {
            throw new DocaException(
                    DocaError.IO_FAILED,
                    "ucp_am_send_nbx",
                    "RDMO peer",
                    "A request could not be sent (" + UcxStatus.text(failure) + "): open another peer.");
        }
    }

    private static long requireLength(long length) {
        if (length > LONGEST_DATA) {
            throw new IllegalArgumentException(
                    "A request of " + length + " bytes is too long: " + LONGEST_DATA + " is the most");
        }
        return length;
    }

    private UcxEndpoint connected() {
        requireOpen();
        if (endpoint == null) {
            throw new IllegalStateException("This peer is not connected");
        }
        return endpoint;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("This peer is closed");
        }
    }

    /**
     * Closes this peer after what it has sent has left, but waits no longer than 2 seconds for
     * that. Flush before, to know that it has arrived. Closing twice is fine.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        disconnect();
        worker.close();
        context.close();
        buffers.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
        closed = true;
    }

    private void disconnect() {
        if (endpoint != null) {
            var closing = endpoint.disconnect();
            endpoint = null; // a repeated close does not disconnect again
            var deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
            while (!closing.isDone() && System.nanoTime() - deadline < 0) {
                worker.progress();
            }
        }
    }
}

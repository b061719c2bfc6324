// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Poll;
import dev.jurom.core.internal.Timeout;
import dev.jurom.plugin.internal.UcxCalls;
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
 * The initiator of RDMO requests on the memory of another process, the target. It sends them directly
 * to the RDMO plugin of the target's worker, which executes them in the order of sending. It needs no
 * UROM service of its own. All methods except {@link #wake} must be called by the thread that opened it.
 *
 * <p>At most 64 requests are in flight. Another request waits until one of them completes. If it times
 * out, it has not been sent and can be repeated; the earlier requests remain in flight.
 *
 * <p>The worker does not answer single requests. It answers a {@link #flush} when all earlier requests
 * have been executed, with the number of requests that it rejected and the first reason. It rejects a
 * request as a whole if a part of it is outside of the registered regions.
 *
 * <p>The worker accepts requests only from peers with a receive queue: pass {@link #address()} to the target, which
 * creates a receive queue for it, before connecting.
 *
 * <p>Worker and peer run on the same machine, unless the environment variable {@code UCX_TLS} names
 * network transports: {@link dev.jurom.plugin.HostMemory} describes what those expose.
 */
public final class RdmoPeer implements AutoCloseable {

    /** The default maximum time that a request waits while 64 are in flight: 30 seconds. */
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
    private int failure = UcxStatus.OK; // the status of the first request that UCX could not send
    private boolean closed;

    private RdmoPeer() {
        DocaRuntime.current();
        context = UcxCalls.call(
                DocaError.INITIALIZATION,
                "ucp_init_version",
                () -> UcxContext.open(
                        EnumSet.of(UcxFeature.ACTIVE_MESSAGES, UcxFeature.WAKE_UP), UcxTransports.settings()));
        try {
            worker = UcxCalls.call(DocaError.INITIALIZATION, "ucp_worker_create", context::createWorker);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
        poll = UcxCalls.call(DocaError.INITIALIZATION, "ucp_worker_get_efd", () -> {
            worker.handle(MESSAGE, flushes::answered);
            return new Poll(arena, worker.eventDescriptor());
        });
    }

    /**
     * Opens a peer that is not connected yet.
     *
     * @return the peer, to be closed
     * @throws DocaException with {@code INITIALIZATION} if UCX cannot be used on this machine
     * @throws dev.jurom.runtime.LibraryLoadException if UCX is not installed; the message states how to install it
     */
    public static RdmoPeer open() {
        return new RdmoPeer();
    }

    /**
     * Returns the UCP address of this peer, for which a target creates a receive queue. Stands for
     * {@code ucp_worker_get_address}.
     *
     * @return the address of its UCP worker
     */
    public byte[] address() {
        requireOpen();
        return UcxCalls.call(DocaError.IO_FAILED, "ucp_worker_get_address", worker::address);
    }

    /**
     * Connects to a worker whose target has a receive queue for this peer.
     *
     * @param workerAddress the result of {@link RdmoPlugin#initializeClient} at the target
     * @param clientId the id of the client whose memory the requests access
     * @throws IllegalStateException if this is connected or closed
     * @throws DocaException with {@code IO_FAILED} if UCX does not reach the worker, for instance because it is on
     *         another machine and {@code UCX_TLS} is not set on both
     */
    public void connect(byte[] workerAddress, long clientId) {
        requireOpen();
        if (endpoint != null) {
            throw new IllegalStateException("This peer is connected: open another one");
        }
        endpoint = UcxCalls.call(DocaError.IO_FAILED, "ucp_ep_create", () -> worker.connect(workerAddress));
        client = clientId;
    }

    /**
     * Requests that data is written to the address in a pointer in the target's memory, and the pointer
     * advanced past the data. Appends of all peers to one client are serialized. While 64 requests are in
     * flight, blocks for at most {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_APPEND}.
     *
     * @param pointerAddress the address of the pointer in the target
     * @param pointerKey the key of the region that contains the pointer
     * @param dataKey the key of the region that contains the data
     * @param data the data, at most 64 MiB; copied
     * @param flags 0, or {@link RdmoRequest#FENCE} to complete all earlier requests first
     * @throws IllegalStateException if this is not connected
     * @throws DocaException with {@code TIME_OUT} if 64 requests remain in flight,
     *         {@code IO_FAILED} if an earlier request could not be sent
     */
    public void append(long pointerAddress, long pointerKey, long dataKey, MemorySegment data, long flags) {
        append(pointerAddress, pointerKey, dataKey, data, flags, DEFAULT_TIMEOUT);
    }

    /**
     * Requests that data is written to the address in a pointer in the target's memory, and the pointer
     * advanced past the data. While 64 requests are in flight, blocks for at most the timeout. Stands for
     * {@code UROM_RDMO_OP_APPEND}.
     *
     * @param pointerAddress the address of the pointer in the target
     * @param pointerKey the key of the region that contains the pointer
     * @param dataKey the key of the region that contains the data
     * @param data the data, at most 64 MiB; copied
     * @param flags 0, or {@link RdmoRequest#FENCE} to complete all earlier requests first
     * @param timeout the maximum time to wait; zero or less: do not wait
     * @throws IllegalStateException if this is not connected
     * @throws DocaException with {@code TIME_OUT} if 64 requests remain in flight,
     *         {@code IO_FAILED} if an earlier request could not be sent
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
     * Requests that vectors are written to their addresses, in any order, all or none. While 64 requests
     * are in flight, blocks for at most {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_SCATTER}.
     *
     * @param vectors the vectors, each of at most 65,535 bytes and together at most 64 MiB; copied
     * @param flags 0, or {@link RdmoRequest#FENCE} to complete all earlier requests first
     * @throws IllegalStateException if this is not connected
     * @throws DocaException with {@code TIME_OUT} if 64 requests remain in flight,
     *         {@code IO_FAILED} if an earlier request could not be sent
     */
    public void scatter(List<ScatterVector> vectors, long flags) {
        scatter(vectors, flags, DEFAULT_TIMEOUT);
    }

    /**
     * Requests that vectors are written to their addresses, in any order, all or none. While 64 requests
     * are in flight, blocks for at most the timeout. Stands for {@code UROM_RDMO_OP_SCATTER}.
     *
     * @param vectors the vectors, each of at most 65,535 bytes and together at most 64 MiB; copied
     * @param flags as for {@link #scatter(List, long)}
     * @param timeout the maximum time to wait; zero or less: do not wait
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

    /** Allocates a buffer and fills it. Frees the buffer if that fails. */
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
     * Requests an answer of the worker once all earlier requests have been executed. While 64 requests
     * are in flight, blocks for at most {@link #DEFAULT_TIMEOUT}. Stands for {@code UROM_RDMO_OP_FLUSH}.
     *
     * @param flags 0 or {@link RdmoRequest#FENCE}, which has no effect on a flush
     * @return the flush; call {@link #progress} until it is done
     * @throws IllegalStateException if this is not connected
     * @throws DocaException with {@code TIME_OUT} if 64 requests remain in flight,
     *         {@code IO_FAILED} if an earlier request could not be sent
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
     * Waits until all earlier requests have been executed and their data is in the target's memory.
     *
     * @param timeout the maximum time to wait
     * @throws IllegalArgumentException if the timeout is not positive
     * @throws DocaException if the worker rejected a request since the last flush, or {@code TIME_OUT}
     *         if it does not answer: it may have exited, or may have no receive queue for this peer
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
     * @param flush a flush of this peer
     * @param timeout the maximum time to wait
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
     * Discards a flush. Its answer will be ignored.
     *
     * @param flush a flush of this peer
     */
    public void abandon(RdmoFlush flush) {
        flushes.remove(flush);
    }

    /** Waits until another request can be sent. Called before its buffer is allocated. */
    private void awaitRoom(Duration timeout) {
        requireSent();
        if (!progressUntil(this::hasRoom, System.nanoTime() + Timeout.nanos(timeout))) {
            throw new DocaException(
                    DocaError.TIME_OUT,
                    RdmoPlugin.NAME,
                    "RDMO peer",
                    "The worker received none of the " + buffers.taken() + " requests in flight within "
                            + Timeout.text(timeout) + ", and this request was not sent: check that the worker runs.");
        }
    }

    private boolean progressUntil(BooleanSupplier condition, long deadline) {
        var fruitless = 0;
        while (!condition.getAsBoolean()) {
            if (progress()) {
                fruitless = 0;
            } else if (++fruitless > FRUITLESS_BEFORE_SLEEP && arm()) {
                poll.await(LONGEST_SLEEP);
            }
            if (System.nanoTime() - deadline > 0) {
                return condition.getAsBoolean();
            }
        }
        return true;
    }

    /**
     * Progresses requests and answers. Methods that wait do so themselves.
     *
     * @return true if there was any progress
     * @throws DocaException with {@code IO_FAILED} if a request could not be sent
     */
    public boolean progress() {
        requireOpen();
        var moved = worker.progress();
        requireSent();
        return moved;
    }

    /**
     * Returns whether the next request can be sent without waiting.
     *
     * @return false while 64 requests are in flight
     */
    public boolean hasRoom() {
        return buffers.taken() < MOST_ON_THEIR_WAY;
    }

    /**
     * Blocks until {@link #progress} has something to do, or another thread calls {@link #wake}.
     *
     * @param timeout the maximum time to block
     * @throws DocaException with {@code IO_FAILED} if UCX fails
     */
    public void sleep(Duration timeout) {
        requireOpen();
        if (arm()) { // else there are events already
            poll.await(timeout);
        }
    }

    private boolean arm() {
        return UcxCalls.call(DocaError.IO_FAILED, "ucp_worker_arm", worker::arm);
    }

    /**
     * Wakes up the current or the next {@link #sleep}. Any thread may call this while this peer is
     * open. Stands for {@code ucp_worker_signal}.
     *
     * @throws DocaException with {@code IO_FAILED} if UCX fails
     */
    public void wake() {
        UcxCalls.call(DocaError.IO_FAILED, "ucp_worker_signal", () -> {
            worker.signal();
            return true;
        });
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
                    "A request of " + length + " bytes is too long: the maximum is " + LONGEST_DATA);
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
     * Closes this peer once its requests have been sent, but after at most 2 seconds. Call {@link #flush}
     * first to ensure that the worker has executed them. No effect if this is closed.
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

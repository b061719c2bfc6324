// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaException;
import dev.jurom.internal.DrivenPeer;
import dev.jurom.plugin.rdmo.RdmoPeer;
import dev.jurom.plugin.rdmo.ScatterVector;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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

    private final DrivenPeer peer;
    private volatile @Nullable RdmoInvitation invitation; // null: not connected

    private RdmoWriter(DrivenPeer peer) {
        this.peer = peer;
    }

    /**
     * Opens a writer that is not connected yet.
     *
     * @return the writer, to be closed
     * @throws RuntimeException if UCX does not work here: the message says how to install it
     */
    public static RdmoWriter open() {
        return new RdmoWriter(DrivenPeer.open());
    }

    /**
     * Who this is: what a target {@linkplain RdmoTarget#invite invites}. Each writer needs an
     * invitation of its own.
     *
     * @return bytes to be sent to the target
     */
    public byte[] introduction() {
        return peer.address();
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
        peer.connect(to.workerAddress(), to.client());
        invitation = to;
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
        peer.append(to.address() + pointer, to.key(), bytes.clone(), DEFAULT_TIMEOUT);
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
        peer.scatter(vectors, DEFAULT_TIMEOUT);
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
        peer.fence();
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
        return peer.flush(timeout);
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
        peer.close();
    }

    @Override
    public String toString() {
        var to = invitation;
        return to == null ? "RDMO writer, not connected" : "RDMO writer with an " + to;
    }
}

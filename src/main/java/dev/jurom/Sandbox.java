// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaException;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.sandbox.SandboxCommand;
import dev.jurom.plugin.sandbox.SandboxCommand.Receive;
import dev.jurom.plugin.sandbox.SandboxCommand.Send;
import dev.jurom.plugin.sandbox.SandboxCommandCodec;
import dev.jurom.plugin.sandbox.SandboxNotification;
import dev.jurom.plugin.sandbox.SandboxNotification.MemoryMapped;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.plugin.sandbox.SandboxNotificationCodec;
import dev.jurom.plugin.sandbox.SandboxPlugin;
import dev.jurom.plugin.sandbox.UcxLayout;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Sends and receives tagged messages between the workers of a {@link Domain} with the sandbox plugin of
 * one of them. This class is thread-safe. An instance need not be closed.
 *
 * <p>A message is either inline, contained in the command and its answer, whose size the maximum message
 * size of the service limits; or it is in memory that the worker has access to ({@link #map}). Each send
 * and receive occupies one of the worker's {@linkplain WorkerConfiguration#tasks() slots} until it
 * completes. Receives occupy at most three quarters of the slots (one of two, or the only one) and
 * otherwise wait, so that a worker with more than one slot can always send.
 *
 * <p>Equal receives get the messages in the order in which they were called. A receive whose message has
 * arrived at this process can no longer be cancelled.
 *
 * <p>The plugin cannot cancel a receive. A receive that timed out or was cancelled keeps its slot until a
 * message arrives, unless it is repeated with the same arguments. If such receives occupy all slots for
 * receives, further receives fail with {@code AGAIN}. At most 1024 messages that arrived too late are
 * kept for repeated receives; the oldest is discarded for another.
 *
 * {@snippet class="dev.jurom.DomainTest" region="greet"}
 *
 * <p>Commands fail with {@code NOT_FOUND} if the domain does not contain the worker or this worker did not
 * return the memory handle, {@code INVALID_VALUE} if a message is not within mapped memory, and
 * {@code TOO_BIG} if a message is longer than the maximum length or the buffer.
 */
public final class Sandbox {

    /** A tag mask that requires all bits of the tag to match. */
    public static final long WHOLE_TAG = SandboxPlugin.WHOLE_TAG;

    private static final CallOptions UNLIMITED = CallOptions.DEFAULT.withTimeout(ChronoUnit.FOREVER.getDuration());
    private static final long NOBODY = -1; // no domain has a worker with this id

    /** The types of notifications in urom_sandbox.h. */
    private static final int MAPPED = 0;

    private static final int SENT = 1;
    private static final int RECEIVED = 2;

    private final Worker worker;
    private final Offload<SandboxCommand, Long> maps;
    private final Offload<SandboxCommand, Void> sends;
    private final Offload<SandboxCommand, Received> receives;

    private Sandbox(Worker worker, UcxLayout layout) {
        this.worker = worker;
        this.maps = offload(layout, answer -> ((MemoryMapped) unpack(MAPPED, answer)).memoryHandle());
        this.sends = offload(layout, answer -> {
            unpack(SENT, answer);
            return null;
        });
        this.receives = offload(layout, answer -> (Received) unpack(
                RECEIVED,
                MemorySegment.ofArray(new byte[Math.toIntExact(answer.byteSize())])
                        .copyFrom(answer)));
    }

    private static <R> Offload<SandboxCommand, R> offload(UcxLayout layout, Function<MemorySegment, R> reader) {
        return Offload.of(SandboxPlugin.NAME, SandboxPlugin.VERSION, SandboxCommandCodec.of(layout)::pack, reader);
    }

    private static SandboxNotification unpack(int kind, MemorySegment answer) {
        return SandboxNotificationCodec.NOTIFICATION.unpackAs(kind, answer);
    }

    /**
     * Returns a host side for a worker. The layout of commands depends on the version of UCX that the
     * plugin was compiled with. To determine it, this method sends a command that cannot succeed: the
     * error shows whether the plugin has this layout.
     *
     * @param worker a running worker that was started with the plugin {@code worker_sandbox}
     * @return the host side
     * @throws DocaException with {@code NOT_FOUND} if the worker does not have the plugin, or as
     *         {@link Worker#call} does
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public static Sandbox of(Worker worker) throws InterruptedException {
        var older = new Sandbox(worker, UcxLayout.UCX_1_13);
        worker.plugin(older.sends);
        try {
            worker.call(older.sends, Send.inline(0, NOBODY, 0, MemorySegment.NULL));
        } catch (DocaException e) {
            switch (e.error()) {
                case INVALID_VALUE -> {
                    return new Sandbox(worker, UcxLayout.UCX_1_14);
                }
                case TIME_OUT, AGAIN, CONNECTION_RESET -> throw e;
                default -> {} // the plugin has this layout
            }
        }
        return older;
    }

    /**
     * Returns the worker that sends and receives.
     *
     * @return always the same worker
     */
    public Worker worker() {
        return worker;
    }

    /**
     * Sends a message as {@link #send(long, long, MemorySegment)} does.
     *
     * @param destination the domain id of the receiving worker, which may be this worker
     * @param tag the message's tag
     * @param message the message; copied
     * @return as {@link #send(long, long, MemorySegment)}
     */
    public CompletableFuture<Void> send(long destination, long tag, byte[] message) {
        return send(destination, tag, MemorySegment.ofArray(message));
    }

    /**
     * Sends an inline message from the worker. Never blocks. Stands for
     * {@code UROM_WORKER_CMD_SANDBOX_TAG_SEND}.
     *
     * @param destination the domain id of the receiving worker, which may be this worker
     * @param tag the message's tag
     * @param message the message, on the heap or in native memory; copied
     * @return a future that completes when UCX has sent the message, which for a short message may be
     *         before the other worker receives it. It fails with a
     *         {@link dev.jurom.plugin.CodecException} if the message does not fit into a command: send
     *         it from mapped memory
     */
    public CompletableFuture<Void> send(long destination, long tag, MemorySegment message) {
        return worker.submit(sends, Send.inline(0, destination, tag, message));
    }

    /**
     * Sends a message in mapped memory from the worker. Never blocks. Stands for
     * {@code UROM_WORKER_CMD_SANDBOX_TAG_SEND}.
     *
     * @param destination the domain id of the receiving worker, which may be this worker
     * @param tag the message's tag
     * @param message the message, within a mapped region; it must not change before the future completes
     * @param memoryHandle the result of {@link #map} for the region
     * @return a future that completes when UCX has sent the message
     */
    public CompletableFuture<Void> send(long destination, long tag, MemorySegment message, long memoryHandle) {
        return worker.submit(
                sends, Send.mapped(0, destination, message.address(), message.byteSize(), tag, memoryHandle));
    }

    /**
     * Receives an inline message at the worker. Never blocks. Stands for
     * {@code UROM_WORKER_CMD_SANDBOX_TAG_RECV}.
     *
     * @param tag the tag to be matched
     * @param tagMask the bits of the tag that must match, {@link #WHOLE_TAG} for all
     * @param room the maximum length of the message in bytes
     * @param timeout the maximum time to wait for a slot and the message together
     * @return a future of the message, a copy on the heap. After a time-out or a cancellation, the
     *         worker continues to receive: the next call with the same tag, mask and room gets the
     *         message. Fails with {@code AGAIN} if receives without callers occupy all slots
     */
    public CompletableFuture<Received> receive(long tag, long tagMask, long room, Duration timeout) {
        return receive(new Receive(0, 0, room, tag, tagMask, 0), timeout);
    }

    /**
     * Receives a message into mapped memory at the worker. Never blocks. Stands for
     * {@code UROM_WORKER_CMD_SANDBOX_TAG_RECV}.
     *
     * @param tag the tag to be matched
     * @param tagMask the bits of the tag that must match, {@link #WHOLE_TAG} for all
     * @param room the buffer for the message, within a mapped region
     * @param memoryHandle the result of {@link #map} for the region
     * @param timeout the maximum time to wait for a slot and the message together
     * @return a future of the tag and the length of the message in the buffer. After a time-out or a
     *         cancellation, the worker may still write to the buffer: the next call with the same
     *         arguments gets that message. Fails with {@code AGAIN} if receives without callers occupy
     *         all slots
     */
    public CompletableFuture<Received> receive(
            long tag, long tagMask, MemorySegment room, long memoryHandle, Duration timeout) {
        return receive(new Receive(0, room.address(), room.byteSize(), tag, tagMask, memoryHandle), timeout);
    }

    private CompletableFuture<Received> receive(Receive command, Duration timeout) {
        try {
            worker.requireOpen();
        } catch (IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        }
        return worker.receives(this::submit).receive(command, timeout);
    }

    private CompletableFuture<Received> submit(Receive command) {
        return worker.submit(receives, command, UNLIMITED);
    }

    /**
     * Maps memory of this process at the worker. The region cannot be closed before the worker. Never
     * blocks. Stands for {@code UROM_WORKER_CMD_SANDBOX_MEM_MAP}.
     *
     * @param region the memory
     * @return a future of the worker's handle of the memory, not 0. Fails with {@code NOT_SUPPORTED} or
     *         {@code INVALID_VALUE} if the plugin requires exported memory handles
     * @throws IllegalStateException if the region or the worker is closed
     */
    public CompletableFuture<Long> map(HostRegion region) {
        worker.use(region);
        return worker.submit(maps, SandboxPlugin.mapCommand(region));
    }

    @Override
    public String toString() {
        return "sandbox of " + worker;
    }
}

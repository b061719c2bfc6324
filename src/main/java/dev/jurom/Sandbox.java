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
 * Tagged messages between the workers of a {@link Domain}, sent and received by one of them: the
 * sandbox plugin for any thread. It needs no closing: what the worker was told ends with it.
 *
 * <p>A message travels in the command and its answer, as far as the maximum message size of the
 * service goes; or it lies in memory that the worker was given access to ({@link #map}). Each send
 * and receive takes one of the worker's {@linkplain WorkerConfiguration#tasks() slots} until it
 * completes. Receives take at most three quarters of the slots (one of two, or the only one) and
 * otherwise wait, so that a worker with more than one slot can always send.
 *
 * <p>The plugin cannot cancel a receive. One that timed out or was cancelled keeps its slot until a
 * message arrives, unless it is repeated with the same arguments. If all slots for receives are taken
 * by such ones, further receives fail with {@code AGAIN}. At most 1024 messages that arrived too late
 * are kept for repeated receives; the oldest is discarded for one more.
 *
 * {@snippet class="dev.jurom.DomainTest" region="greet"}
 *
 * <p>A command that fails does so with the status: {@code NOT_FOUND} for a worker that the domain
 * does not have or a memory handle that this worker did not give, {@code INVALID_VALUE} for bytes
 * outside of mapped memory, {@code TOO_BIG} for a message that is longer than its room.
 */
public final class Sandbox {

    /** A tag mask under which only messages with the very tag are received. */
    public static final long WHOLE_TAG = SandboxPlugin.WHOLE_TAG;

    private static final Duration FOR_EVER = ChronoUnit.FOREVER.getDuration();
    private static final long NOBODY = -1; // no domain has a worker with this id

    /** What notifications are, as urom_sandbox.h numbers them. */
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
     * Makes the host side for a worker. Plugins that were compiled with UCX before and after 1.14
     * read different commands: this sends one that cannot succeed, and sees by the answer which.
     *
     * @param worker a running worker that was started with the plugin {@code worker_sandbox}
     * @return the host side
     * @throws DocaException with {@code NOT_FOUND} if the worker does not have the plugin, or as
     *         {@link Worker#call} does
     * @throws InterruptedException if the calling thread is interrupted meanwhile
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
                default -> {} // it could be read
            }
        }
        return older;
    }

    /**
     * The worker that sends and receives.
     *
     * @return the same for life
     */
    public Worker worker() {
        return worker;
    }

    /**
     * Sends a message as {@link #send(long, long, MemorySegment)} does.
     *
     * @param destination the domain id of the receiving worker; its own is fine
     * @param tag the message's tag
     * @param message the message; copied
     * @return as {@link #send(long, long, MemorySegment)}
     */
    public CompletableFuture<Void> send(long destination, long tag, byte[] message) {
        return send(destination, tag, MemorySegment.ofArray(message));
    }

    /**
     * Sends a message from the worker, inside the command. Never blocks. Stands for
     * {@code UROM_WORKER_CMD_SANDBOX_TAG_SEND}.
     *
     * @param destination the domain id of the receiving worker; its own is fine
     * @param tag the message's tag
     * @param message the message, on the heap or in native memory; copied
     * @return done when the message has left: a short one may do so although no worker ever receives
     *         it; fails with a {@link dev.jurom.plugin.CodecException} if the message is longer than
     *         a command can be: map it
     */
    public CompletableFuture<Void> send(long destination, long tag, MemorySegment message) {
        return worker.submit(sends, Send.inline(0, destination, tag, message));
    }

    /**
     * Has the worker send a message that lies in mapped memory, which must not change before that
     * is done. Stands for {@code UROM_WORKER_CMD_SANDBOX_TAG_SEND}.
     *
     * @param destination the domain id of the receiving worker; its own is fine
     * @param tag the message's tag
     * @param message the message, within a region that was mapped
     * @param memoryHandle what {@link #map} gave for the region
     * @return done when it has been read
     */
    public CompletableFuture<Void> send(long destination, long tag, MemorySegment message, long memoryHandle) {
        return worker.submit(
                sends, Send.mapped(0, destination, message.address(), message.byteSize(), tag, memoryHandle));
    }

    /**
     * Receives a message at the worker that comes with the answer. Never blocks. Stands for
     * {@code UROM_WORKER_CMD_SANDBOX_TAG_RECV}.
     *
     * @param tag the tag of the messages wanted
     * @param tagMask which bits of the tag count, {@link #WHOLE_TAG} for all
     * @param room the longest message that is taken, in bytes
     * @param timeout how long to wait for a slot and the message together
     * @return the message to come, a copy on the heap. After a time-out, or when this is cancelled,
     *         the worker continues to receive: the next call with the same tag, mask and room gets
     *         the message. Fails with {@code AGAIN} if receives without callers hold all slots
     */
    public CompletableFuture<Received> receive(long tag, long tagMask, long room, Duration timeout) {
        return receive(new Receive(0, 0, room, tag, tagMask, 0), timeout);
    }

    /**
     * Has the worker receive a message into mapped memory, which it writes to until that is done.
     * Stands for {@code UROM_WORKER_CMD_SANDBOX_TAG_RECV}.
     *
     * @param tag the tag of the messages wanted
     * @param tagMask which bits of the tag count, {@link #WHOLE_TAG} for all
     * @param room where the message goes, within a region that was mapped
     * @param memoryHandle what {@link #map} gave for the region
     * @param timeout how long to wait for a slot and the message together
     * @return the tag and the length of the message in the room. After a time-out, or
     *         when this is cancelled, the worker may still write to the room: the next call with
     *         the same arguments gets that message. Fails with {@code AGAIN} if receives without
     *         callers hold all slots
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
        return worker.submit(receives, command, FOR_EVER);
    }

    /**
     * Gives the worker access to memory of this process until it is closed. The region cannot be
     * closed before. Stands for {@code UROM_WORKER_CMD_SANDBOX_MEM_MAP}.
     *
     * @param region what to give access to
     * @return the worker's name for it, not 0; fails with {@code NOT_SUPPORTED} or
     *         {@code INVALID_VALUE} at a plugin that takes exported memory handles alone
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

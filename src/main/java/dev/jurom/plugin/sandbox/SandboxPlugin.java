// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.sandbox;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.BlockingCall;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.internal.RegionUsers;
import dev.jurom.plugin.sandbox.SandboxCommand.MapMemory;
import dev.jurom.plugin.sandbox.SandboxCommand.MapParameters;
import dev.jurom.plugin.sandbox.SandboxNotification.MemoryMapped;
import dev.jurom.plugin.sandbox.SandboxNotification.Received;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The host side of the sandbox plugin on a worker: the workers of a domain send and receive tagged
 * messages. All methods must be called by the thread of the worker's engine. An instance need not be
 * closed.
 *
 * <p>A message is either inline, contained in the command and the notification, whose size the maximum
 * message size of the service limits; or it is in host memory that the worker has access to
 * ({@link #map}). The worker must be in a running {@link dev.jurom.urom.UromDomain}.
 *
 * <p>The fill methods write a command to a task without allocation, for frequent or concurrent commands.
 * {@link #send}, {@link #receive} and {@link #map} run a single command and wait for its completion.
 */
public final class SandboxPlugin {

    /** The plugin's name: the name of its file without {@code .so}. */
    public static final String NAME = "worker_sandbox";

    /** The version of the plugin that this host side supports. */
    public static final long VERSION = 1;

    /** A tag mask that requires all bits of the tag to match. */
    public static final long WHOLE_TAG = -1;

    private static final long NOBODY = -1; // no domain has a worker with this id
    private static final int MAPPED_FIELDS = 3; // UCP_MEM_MAP_PARAM_FIELD_ADDRESS, _LENGTH

    private final UromWorker worker;
    private final PluginInfo plugin;
    private final UcxLayout layout;

    private SandboxPlugin(UromWorker worker, PluginInfo plugin, UcxLayout layout) {
        this.worker = worker;
        this.plugin = plugin;
        this.layout = layout;
    }

    /**
     * Finds the plugin.
     *
     * @param service a running service
     * @return the plugin, in the version that this host side supports
     * @throws DocaException with {@code NOT_FOUND} if the service does not offer it
     * @throws IllegalStateException if it has another version
     */
    public static PluginInfo find(UromService service) {
        return service.plugin(NAME).requireVersion(VERSION);
    }

    /**
     * Returns the plugin's commands for {@code dev.jurom.Worker}.
     *
     * @param layout the layout of the plugin: {@link #layout()}, or {@link UcxLayout#UCX_1_13} for the
     *        plugin of the software DOCA
     * @return an offload whose answers are copies
     */
    public static Offload<SandboxCommand, SandboxNotification> offload(UcxLayout layout) {
        return Offload.of(NAME, VERSION, SandboxCommandCodec.of(layout), SandboxNotificationCodec.NOTIFICATION);
    }

    /**
     * Returns a host side for a worker. The layout of commands depends on the version of UCX that the
     * plugin was compiled with. To determine it, this method sends a command that cannot succeed: the
     * error shows whether the plugin has this layout.
     *
     * @param worker a running worker that has loaded the plugin
     * @param plugin the result of {@link #find}
     * @param timeout the maximum time to wait for the answer
     * @return the host side
     * @throws IllegalStateException if the plugin has another version than this host side
     * @throws DocaException with {@code TIME_OUT} if there is no answer in time, otherwise as
     *         {@link CommandTask}
     */
    public static SandboxPlugin of(UromWorker worker, PluginInfo plugin, Duration timeout) {
        var older = new SandboxPlugin(worker, plugin.requireVersion(VERSION), UcxLayout.UCX_1_13);
        var status =
                older.call(probe -> older.fillSend(probe, NOBODY, 0, MemorySegment.NULL), CommandTask::status, timeout);
        return status == DocaError.INVALID_VALUE ? new SandboxPlugin(worker, plugin, UcxLayout.UCX_1_14) : older;
    }

    /**
     * Returns the worker.
     *
     * @return always the same worker
     */
    public UromWorker worker() {
        return worker;
    }

    /**
     * Returns the layout of the plugin's commands.
     *
     * @return the layout that {@link #of} determined
     */
    public UcxLayout layout() {
        return layout;
    }

    /**
     * Returns the maximum length of an inline message.
     *
     * @return the length in bytes
     */
    public long longestInline() {
        try (var task = task()) {
            return task.payload().byteSize() - SandboxCommandCodec.of(layout).size();
        }
    }

    /**
     * Creates a task for commands of this plugin.
     *
     * @return the task, which the caller fills, submits and closes
     */
    public CommandTask task() {
        return worker.commandTask(plugin);
    }

    /**
     * Packs a command into a task.
     *
     * @param task a task of this worker that is not in flight
     * @param command the command
     * @throws dev.jurom.plugin.CodecException if it does not fit
     */
    public void fill(CommandTask task, SandboxCommand command) {
        task.setPayloadLength(SandboxCommandCodec.of(layout).pack(command, task.payload()));
    }

    /**
     * Packs a send of an inline message into a task.
     *
     * @param task a task of this worker that is not in flight
     * @param destination the domain id of the receiving worker, which may be this worker
     * @param tag the message's tag
     * @param message the message; copied
     * @throws dev.jurom.plugin.CodecException if it does not fit: see {@link #longestInline()}
     */
    public void fillSend(CommandTask task, long destination, long tag, MemorySegment message) {
        task.setPayloadLength(SandboxCommandCodec.packSend(layout, 0, destination, tag, message, task.payload()));
    }

    /**
     * Packs a send of a message in mapped memory into a task. The memory must not change before the task
     * completes.
     *
     * @param task a task of this worker that is not in flight
     * @param destination the domain id of the receiving worker, which may be this worker
     * @param tag the message's tag
     * @param message the message, within a mapped region
     * @param memoryHandle the result of {@link #map} for the region
     */
    public void fillSend(CommandTask task, long destination, long tag, MemorySegment message, long memoryHandle) {
        task.setPayloadLength(SandboxCommandCodec.packMappedSend(
                layout, 0, destination, message.address(), message.byteSize(), tag, memoryHandle, task.payload()));
    }

    /**
     * Packs a receive of an inline message into a task.
     *
     * @param task a task of this worker that is not in flight
     * @param tag the tag to be matched
     * @param tagMask the bits of the tag that must match, {@link #WHOLE_TAG} for all
     * @param room the maximum length of the message in bytes
     */
    public void fillReceive(CommandTask task, long tag, long tagMask, long room) {
        task.setPayloadLength(SandboxCommandCodec.packReceive(layout, 0, 0, room, tag, tagMask, 0, task.payload()));
    }

    /**
     * Packs a receive of a message into mapped memory into a task. The worker may write to the memory
     * until the task completes.
     *
     * @param task a task of this worker that is not in flight
     * @param tag the tag to be matched
     * @param tagMask the bits of the tag that must match, {@link #WHOLE_TAG} for all
     * @param room the buffer for the message, within a mapped region
     * @param memoryHandle the result of {@link #map} for the region
     */
    public void fillReceive(CommandTask task, long tag, long tagMask, MemorySegment room, long memoryHandle) {
        task.setPayloadLength(SandboxCommandCodec.packReceive(
                layout, 0, room.address(), room.byteSize(), tag, tagMask, memoryHandle, task.payload()));
    }

    /**
     * Returns the answer to a command. The command in the task's payload determines the type of the
     * notification, because plugins of this name number their notifications differently.
     *
     * @param task a completed task of this plugin, whose payload still contains the command
     * @return the notification; its message is a slice of the task's response
     * @throws DocaException if the command failed, with {@code NOT_FOUND} if the domain has no
     *         worker with the id or the memory handle is unknown, {@code INVALID_VALUE} if the
     *         message is not within the mapped region, {@code TOO_BIG} if the message is longer than
     *         the maximum length or the buffer
     */
    public static SandboxNotification answer(CommandTask task) {
        var status = task.status();
        if (!status.isSuccess()) {
            throw new DocaException(status, NAME, task.toString(), advice(task));
        }
        return SandboxNotificationCodec.NOTIFICATION.unpackAs(
                task.payload().get(ValueLayout.JAVA_LONG_UNALIGNED, 0), task.response());
    }

    private static String advice(CommandTask task) {
        return switch (task.status()) {
            case NOT_FOUND ->
                "Its domain must be running and contain a worker with that id, and a memory handle must be one"
                        + " that this worker returned.";
            case INVALID_VALUE -> "A message must be within the memory of its handle.";
            case TOO_BIG ->
                "Increase the maximum length of the receive, increase the service's maximum message size, or"
                        + " receive into mapped memory.";
            default -> task.advice();
        };
    }

    /**
     * Maps memory of this process at the worker and waits for the completion. Stands for
     * {@code UROM_WORKER_CMD_SANDBOX_MEM_MAP}.
     *
     * <p>UCX before 1.14 (the software DOCA's is 1.13) cannot export memory handles: the worker
     * then reads and writes the memory through a remote key. A plugin that requires exported
     * handles answers {@code NOT_SUPPORTED} or {@code INVALID_VALUE}. The worker unmaps the memory when
     * the connection to it ends: the region cannot be closed before the worker.
     *
     * @param region the memory
     * @param timeout the maximum time to wait for the answer
     * @return the worker's handle of the memory, not 0
     * @throws IllegalStateException if the region is closed
     * @throws DocaException if the worker cannot access it, or {@code TIME_OUT}
     */
    public long map(HostRegion region, Duration timeout) {
        RegionUsers.add(region, worker, worker::isOpen);
        return call(
                task -> fill(task, mapCommand(region)), task -> ((MemoryMapped) answer(task)).memoryHandle(), timeout);
    }

    /**
     * Returns the command that maps memory of this process at a worker, through a remote key.
     *
     * @param region the memory, which the caller keeps open until the worker is closed
     * @return the command, with the context 0
     */
    public static SandboxCommand mapCommand(HostRegion region) {
        var parameters = new MapParameters(MAPPED_FIELDS, region.address(), region.length(), 0, 0, 0);
        return new MapMemory(0, parameters, RemoteMemory.pack(region));
    }

    /**
     * Sends an inline message and waits until UCX has sent it. A short message may be sent before the
     * other worker receives it. Stands for {@code UROM_WORKER_CMD_SANDBOX_TAG_SEND}.
     *
     * @param destination the domain id of the receiving worker, which may be this worker
     * @param tag the message's tag
     * @param message the message
     * @param timeout the maximum time to wait
     * @throws DocaException if it cannot be sent, or {@code TIME_OUT}
     */
    public void send(long destination, long tag, MemorySegment message, Duration timeout) {
        call(task -> fillSend(task, destination, tag, message), SandboxPlugin::answer, timeout);
    }

    /**
     * Receives an inline message. Stands for {@code UROM_WORKER_CMD_SANDBOX_TAG_RECV}.
     *
     * @param tag the tag to be matched
     * @param tagMask the bits of the tag that must match, {@link #WHOLE_TAG} for all
     * @param room the maximum length of the message in bytes
     * @param timeout the maximum time to wait
     * @return the message, a copy on the heap
     * @throws DocaException if it cannot be received, or {@code TIME_OUT}: the next matching message
     *         is then lost
     */
    public Received receive(long tag, long tagMask, long room, Duration timeout) {
        return call(task -> fillReceive(task, tag, tagMask, room), task -> copy((Received) answer(task)), timeout);
    }

    /** Copies a notification, whose message then outlives the task. */
    private static Received copy(Received received) {
        var message = MemorySegment.ofArray(new byte[(int) received.payload().byteSize()])
                .copyFrom(received.payload());
        return new Received(received.context(), received.count(), received.senderTag(), received.status(), message);
    }

    private <R> R call(Consumer<CommandTask> filler, Function<CommandTask, R> reader, Duration timeout) {
        return BlockingCall.run(worker, plugin, filler, reader, timeout);
    }
}

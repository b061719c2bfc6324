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
 * The host side of the sandbox plugin on one worker: tagged messages between the workers of a
 * domain, sent and received by the workers themselves. It belongs to the thread of the worker's
 * engine, and needs no closing.
 *
 * <p>Messages travel inline, in the command and the notification, as far as the service's maximum
 * message size goes; or they lie in memory of the host that the worker was given access to
 * ({@link #map}). The worker must be in a running {@link dev.jurom.urom.UromDomain}.
 *
 * <p>The fill methods write a command to a task, allocate nothing, and are for many commands at a
 * time; {@link #send}, {@link #receive} and {@link #map} do one and wait for it.
 */
public final class SandboxPlugin {

    /** The plugin's name: that of its file without {@code .so}. */
    public static final String NAME = "worker_sandbox";

    /** The version that this host side was made for. */
    public static final long VERSION = 1;

    /** A tag mask under which only messages with the very tag are received. */
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
     * @return the plugin, in the version that this host side was made for
     * @throws DocaException with {@code NOT_FOUND} if the service does not offer it
     * @throws IllegalStateException if it has another version
     */
    public static PluginInfo find(UromService service) {
        return service.plugin(NAME).requireVersion(VERSION);
    }

    /**
     * The plugin's commands, for workers of the facade.
     *
     * @param layout how commands must look to be read by the plugin: {@link #layout()}, or
     *        {@link UcxLayout#UCX_1_13} for the software DOCA's
     * @return a kind of command whose answers are copies
     */
    public static Offload<SandboxCommand, SandboxNotification> offload(UcxLayout layout) {
        return Offload.of(NAME, VERSION, SandboxCommandCodec.of(layout), SandboxNotificationCodec.NOTIFICATION);
    }

    /**
     * Makes the host side for a worker. Commands look different to a plugin that was compiled with
     * UCX before and after 1.14: this sends one that cannot succeed, and sees by the answer whether
     * the plugin could read it.
     *
     * @param worker a running worker that has loaded the plugin
     * @param plugin what {@link #find} gave
     * @param timeout how long to wait for the worker's answer
     * @return the host side
     * @throws IllegalStateException if the plugin has another version than this host side
     * @throws DocaException with {@code TIME_OUT} if there is no answer in time, or what a
     *         {@link CommandTask} throws
     */
    public static SandboxPlugin of(UromWorker worker, PluginInfo plugin, Duration timeout) {
        var older = new SandboxPlugin(worker, plugin.requireVersion(VERSION), UcxLayout.UCX_1_13);
        var status =
                older.call(probe -> older.fillSend(probe, NOBODY, 0, MemorySegment.NULL), CommandTask::status, timeout);
        return status == DocaError.INVALID_VALUE ? new SandboxPlugin(worker, plugin, UcxLayout.UCX_1_14) : older;
    }

    /**
     * The worker.
     *
     * @return the same for life
     */
    public UromWorker worker() {
        return worker;
    }

    /**
     * How commands must look to be read by the plugin.
     *
     * @return what was found out when this was made
     */
    public UcxLayout layout() {
        return layout;
    }

    /**
     * How long a message may be to travel in a command.
     *
     * @return bytes
     */
    public long longestInline() {
        try (var task = task()) {
            return task.payload().byteSize() - SandboxCommandCodec.of(layout).size();
        }
    }

    /**
     * Makes a task for commands of this plugin.
     *
     * @return the task, to be filled, submitted and closed
     */
    public CommandTask task() {
        return worker.commandTask(plugin);
    }

    /**
     * Fills a task with a command.
     *
     * @param task a task of this worker that is not in flight
     * @param command the command
     * @throws dev.jurom.plugin.CodecException if it does not fit
     */
    public void fill(CommandTask task, SandboxCommand command) {
        task.setPayloadLength(SandboxCommandCodec.of(layout).pack(command, task.payload()));
    }

    /**
     * Fills a task with a send of a message that travels in the command.
     *
     * @param task a task of this worker that is not in flight
     * @param destination the domain id of the receiving worker; its own is fine
     * @param tag the message's tag
     * @param message the message, which is copied
     * @throws dev.jurom.plugin.CodecException if it does not fit: see {@link #longestInline()}
     */
    public void fillSend(CommandTask task, long destination, long tag, MemorySegment message) {
        task.setPayloadLength(SandboxCommandCodec.packSend(layout, 0, destination, tag, message, task.payload()));
    }

    /**
     * Fills a task with a send of a message that lies in mapped memory. The memory must not change
     * before the task completes.
     *
     * @param task a task of this worker that is not in flight
     * @param destination the domain id of the receiving worker; its own is fine
     * @param tag the message's tag
     * @param message the message, within a region that was mapped
     * @param memoryHandle what {@link #map} gave for the region
     */
    public void fillSend(CommandTask task, long destination, long tag, MemorySegment message, long memoryHandle) {
        task.setPayloadLength(SandboxCommandCodec.packMappedSend(
                layout, 0, destination, message.address(), message.byteSize(), tag, memoryHandle, task.payload()));
    }

    /**
     * Fills a task with a receive of a message that comes with the notification.
     *
     * @param task a task of this worker that is not in flight
     * @param tag the tag of the messages wanted
     * @param tagMask which bits of the tag count, {@link #WHOLE_TAG} for all
     * @param room the longest message that is taken, in bytes
     */
    public void fillReceive(CommandTask task, long tag, long tagMask, long room) {
        task.setPayloadLength(SandboxCommandCodec.packReceive(layout, 0, 0, room, tag, tagMask, 0, task.payload()));
    }

    /**
     * Fills a task with a receive of a message that goes to mapped memory. The memory is written to
     * until the task completes.
     *
     * @param task a task of this worker that is not in flight
     * @param tag the tag of the messages wanted
     * @param tagMask which bits of the tag count, {@link #WHOLE_TAG} for all
     * @param room where the message goes, within a region that was mapped
     * @param memoryHandle what {@link #map} gave for the region
     */
    public void fillReceive(CommandTask task, long tag, long tagMask, MemorySegment room, long memoryHandle) {
        task.setPayloadLength(SandboxCommandCodec.packReceive(
                layout, 0, room.address(), room.byteSize(), tag, tagMask, memoryHandle, task.payload()));
    }

    /**
     * The answer to a command. What kind it is, the command in the task's payload says: not every
     * plugin of this name numbers its notifications in the same way.
     *
     * @param task a task of this plugin that has completed, its payload as it was submitted
     * @return the notification; the message in it is a view of the task's response
     * @throws DocaException if the command failed, with {@code NOT_FOUND} if the domain has no
     *         worker with the id or the memory handle is unknown, {@code INVALID_VALUE} if the
     *         message is not within the mapped region, {@code TOO_BIG} if there was less room than
     *         the message needs
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
                "Its domain must be running and have a worker with that id, and a"
                        + " memory handle must be one that this worker gave out.";
            case INVALID_VALUE -> "A message must lie within the memory that its handle stands" + " for.";
            case TOO_BIG ->
                "Give the message more room, raise the service's maximum message size,"
                        + " or receive into mapped memory.";
            default -> task.advice();
        };
    }

    /**
     * Gives the worker access to memory of this process, and waits until it has it. Stands for
     * {@code UROM_WORKER_CMD_SANDBOX_MEM_MAP}.
     *
     * <p>UCX before 1.14 (the software DOCA's is 1.13) cannot export memory handles: the worker
     * then reads and writes the memory through a remote key. A worker whose plugin takes exported
     * handles alone answers {@code NOT_SUPPORTED} or {@code INVALID_VALUE}. The worker forgets the
     * memory when this connection to it ends: the region cannot be closed before the worker is.
     *
     * @param region what to give access to
     * @param timeout how long to wait
     * @return the worker's name for it, not 0
     * @throws IllegalStateException if the region is closed
     * @throws DocaException if the worker cannot reach it, or {@code TIME_OUT}
     */
    public long map(HostRegion region, Duration timeout) {
        RegionUsers.add(region, worker, worker::isOpen);
        return call(
                task -> fill(task, mapCommand(region)), task -> ((MemoryMapped) answer(task)).memoryHandle(), timeout);
    }

    /**
     * The command that gives a worker access to memory of this process, through a remote key.
     *
     * @param region what to give access to; the caller keeps it open until the worker is closed
     * @return the command, with the context 0
     */
    public static SandboxCommand mapCommand(HostRegion region) {
        var parameters = new MapParameters(MAPPED_FIELDS, region.address(), region.length(), 0, 0, 0);
        return new MapMemory(0, parameters, RemoteMemory.pack(region));
    }

    /**
     * Sends a message that travels in the command, and waits until it has left: UCX may still keep
     * a short one that nobody has received. Stands for {@code UROM_WORKER_CMD_SANDBOX_TAG_SEND}.
     *
     * @param destination the domain id of the receiving worker; its own is fine
     * @param tag the message's tag
     * @param message the message
     * @param timeout how long to wait
     * @throws DocaException if it cannot be sent, or {@code TIME_OUT}
     */
    public void send(long destination, long tag, MemorySegment message, Duration timeout) {
        call(task -> fillSend(task, destination, tag, message), SandboxPlugin::answer, timeout);
    }

    /**
     * Waits for a message that comes with the notification. Stands for
     * {@code UROM_WORKER_CMD_SANDBOX_TAG_RECV}.
     *
     * @param tag the tag of the messages wanted
     * @param tagMask which bits of the tag count, {@link #WHOLE_TAG} for all
     * @param room the longest message that is taken, in bytes
     * @param timeout how long to wait
     * @return the message, a copy on the heap
     * @throws DocaException if it cannot be received, or {@code TIME_OUT}: the next message with
     *         the tag is then lost
     */
    public Received receive(long tag, long tagMask, long room, Duration timeout) {
        return call(task -> fillReceive(task, tag, tagMask, room), task -> copy((Received) answer(task)), timeout);
    }

    /** A notification whose message outlives the task. */
    private static Received copy(Received received) {
        var message = MemorySegment.ofArray(new byte[(int) received.payload().byteSize()])
                .copyFrom(received.payload());
        return new Received(received.context(), received.count(), received.senderTag(), received.status(), message);
    }

    private <R> R call(Consumer<CommandTask> filler, Function<CommandTask, R> reader, Duration timeout) {
        return BlockingCall.run(worker, plugin, filler, reader, timeout);
    }
}

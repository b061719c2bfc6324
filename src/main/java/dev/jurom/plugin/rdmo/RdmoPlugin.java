// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.BlockingCall;
import dev.jurom.plugin.HostMemory;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.internal.RegionUsers;
import dev.jurom.plugin.rdmo.RdmoCommand.CreateReceiveQueue;
import dev.jurom.plugin.rdmo.RdmoCommand.DeregisterMemory;
import dev.jurom.plugin.rdmo.RdmoCommand.DestroyReceiveQueue;
import dev.jurom.plugin.rdmo.RdmoCommand.InitializeClient;
import dev.jurom.plugin.rdmo.RdmoCommand.RegisterMemory;
import dev.jurom.plugin.rdmo.RdmoNotification.ClientInitialized;
import dev.jurom.plugin.rdmo.RdmoNotification.MemoryRegistered;
import dev.jurom.plugin.rdmo.RdmoNotification.ReceiveQueueCreated;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The host side of the RDMO plugin on one worker: it makes memory of this process a target for the
 * requests of peers ({@link RdmoPeer}), which the worker carries out without this process. It
 * belongs to the thread of the worker's engine, and needs no closing: what the worker was told ends
 * with the connection to it.
 *
 * <p>The order is: {@link #initializeClient}, {@link #register} memory and
 * {@link #createReceiveQueue} for each peer; then tell the peers the worker's address, the client
 * id, and the addresses and keys of the memory.
 *
 * <p>UCX before 1.14 (the software DOCA's is 1.13) cannot export memory handles: memory is
 * registered by its remote key, and the worker reads and writes it through UCX.
 */
public final class RdmoPlugin {

    /** The plugin's name: that of its file without {@code .so}. */
    public static final String NAME = "worker_rdmo";

    /** The version that this host side was made for. */
    public static final long VERSION = 1;

    /** The plugin's commands, for workers of the facade; the answers are copies. */
    public static final Offload<RdmoCommand, RdmoNotification> COMMANDS =
            Offload.of(NAME, VERSION, RdmoCodec.COMMAND, RdmoCodec.NOTIFICATION);

    private final UromWorker worker;
    private final PluginInfo plugin;
    private final Map<Long, Registration> registrations = new HashMap<>(); // by key
    private @Nullable HostMemory memory; // of the client; null: it is not initialized

    /** The use of a region from its registration to its deregistration. */
    private static final class Registration {

        private final UromWorker worker;
        private volatile boolean ended;

        Registration(UromWorker worker) {
            this.worker = worker;
        }

        boolean isOpen() {
            return !ended && worker.isOpen();
        }

        @Override
        public String toString() {
            return "registration at " + worker;
        }
    }

    private RdmoPlugin(UromWorker worker, PluginInfo plugin) {
        this.worker = worker;
        this.plugin = plugin;
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
     * Makes the host side for a worker.
     *
     * @param worker a running worker that has loaded the plugin
     * @param plugin what {@link #find} gave
     * @return the host side
     * @throws IllegalStateException if the plugin has another version than this host side
     */
    public static RdmoPlugin of(UromWorker worker, PluginInfo plugin) {
        return new RdmoPlugin(worker, plugin.requireVersion(VERSION));
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
     * Makes this process known to the worker as a client whose memory is worked on. Stands for
     * {@code UROM_WORKER_CMD_RDMO_CLIENT_INIT}.
     *
     * @param id names this client in requests; no other client of the worker may have it
     * @param host the way to this process's memory; it must stay open as long as this worker
     * @param timeout how long to wait
     * @return the address of the worker's own UCP worker: where peers send their requests
     * @throws DocaException with {@code ALREADY_EXIST} if the worker has a client with this id, or
     *         of this connection
     */
    public byte[] initializeClient(long id, HostMemory host, Duration timeout) {
        var address = call(
                new InitializeClient(id, MemorySegment.ofArray(host.address())),
                answer -> ((ClientInitialized) answer).address().toArray(JAVA_BYTE),
                timeout);
        memory = host;
        return address;
    }

    /**
     * Has the worker accept the requests of a peer from now on. Stands for
     * {@code UROM_WORKER_CMD_RDMO_RQ_CREATE}.
     *
     * @param peerAddress the address of the peer's UCP worker, {@link RdmoPeer#address()}
     * @param timeout how long to wait
     * @return the queue's id
     * @throws DocaException with {@code INVALID_VALUE} or another error if the peer cannot be
     *         connected to, {@code BAD_STATE} or {@code NOT_FOUND} if this client is not
     *         initialized
     */
    public long createReceiveQueue(byte[] peerAddress, Duration timeout) {
        return call(
                new CreateReceiveQueue(MemorySegment.ofArray(peerAddress)),
                answer -> ((ReceiveQueueCreated) answer).id(),
                timeout);
    }

    /**
     * Revokes the access of the peer, and waits until its earlier requests are carried out. Stands for
     * two {@code UROM_WORKER_CMD_RDMO_RQ_DESTROY}: the first is answered at once, the second when the
     * queue has ended.
     *
     * @param queue what {@link #createReceiveQueue} gave
     * @param timeout how long to wait
     * @throws DocaException with {@code NOT_FOUND} if there is no such queue
     */
    public void destroyReceiveQueue(long queue, Duration timeout) {
        var begin = System.nanoTime();
        call(new DestroyReceiveQueue(queue), Function.identity(), timeout);
        var left = timeout.minusNanos(System.nanoTime() - begin);
        try {
            call(new DestroyReceiveQueue(queue), Function.identity(), left.isNegative() ? Duration.ZERO : left);
        } catch (DocaException e) {
            if (e.error() == DocaError.TIME_OUT) { // else the queue has ended
                throw e;
            }
        }
    }

    /**
     * Lets requests reach a region. Stands for {@code UROM_WORKER_CMD_RDMO_MR_REG}.
     *
     * @param region memory that is shared by the client's {@link HostMemory}; it cannot be closed
     *        until it is deregistered or the worker is closed
     * @param timeout how long to wait
     * @return the key that names the region in requests
     * @throws IllegalStateException if the client is not initialized, or the region is closed
     * @throws IllegalArgumentException if another {@link HostMemory} shares the region
     * @throws DocaException if the worker cannot reach it
     */
    public long register(HostRegion region, Duration timeout) {
        if (memory == null) {
            throw new IllegalStateException(
                    "The client of " + worker + " is not initialized: do that" + " before registering memory");
        }
        if (region.host() != memory) {
            throw new IllegalArgumentException(region + " is shared by another host memory than the"
                    + " one that the client was initialized with");
        }
        var registration = new Registration(worker);
        RegionUsers.add(region, registration, registration::isOpen);
        var command = new RegisterMemory(
                region.address(), region.length(), MemorySegment.ofArray(region.packedKey()), MemorySegment.NULL);
        try {
            var key = call(command, answer -> ((MemoryRegistered) answer).key(), timeout);
            registrations.put(key, registration);
            return key;
        } catch (DocaException e) {
            registration.ended = e.error() != DocaError.TIME_OUT; // the worker may still register it
            throw e;
        }
    }

    /**
     * Lets no more requests reach a region: no write to it begins after this. Writes that UCX was
     * given before may still arrive while this host progresses: before the memory is freed or used
     * for something else, have the peers flush, or {@link #destroyReceiveQueue end their queues}.
     * Stands for {@code UROM_WORKER_CMD_RDMO_MR_DEREG}.
     *
     * @param key what {@link #register} gave; requests that still name it fail
     * @param timeout how long to wait
     * @throws DocaException with {@code NOT_FOUND} if there is no such key
     */
    public void deregister(long key, Duration timeout) {
        call(new DeregisterMemory(key), Function.identity(), timeout);
        var registration = registrations.remove(key);
        if (registration != null) {
            registration.ended = true;
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
    public static void fill(CommandTask task, RdmoCommand command) {
        task.setPayloadLength(RdmoCodec.COMMAND.pack(command, task.payload()));
    }

    /**
     * The answer to a command.
     *
     * @param task a task of this plugin that has completed
     * @return the notification; addresses in it are views of the task's response
     * @throws DocaException if the command failed
     */
    public static RdmoNotification answer(CommandTask task) {
        var status = task.status();
        if (!status.isSuccess()) {
            throw new DocaException(status, NAME, task.toString(), advice(task));
        }
        return RdmoCodec.NOTIFICATION.unpack(task.response());
    }

    private static String advice(CommandTask task) {
        return switch (task.status()) {
            case NOT_FOUND ->
                "Queues and keys must be those that this worker gave out and that are" + " not ended yet.";
            case ALREADY_EXIST -> "Each connection to a worker is one client, with an id of its" + " own.";
            default -> task.advice();
        };
    }

    private <R> R call(RdmoCommand command, Function<RdmoNotification, R> reader, Duration timeout) {
        return BlockingCall.run(
                worker, plugin, task -> fill(task, command), task -> reader.apply(answer(task)), timeout);
    }
}

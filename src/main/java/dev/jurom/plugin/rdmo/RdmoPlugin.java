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
 * The host side of the RDMO plugin on a worker. Makes memory of this process the target of the requests
 * of peers ({@link RdmoPeer}), which the worker executes without this process. All methods must be
 * called by the thread of the worker's engine. An instance need not be closed: clients, registrations
 * and queues end with the connection to the worker.
 *
 * <p>Call {@link #initializeClient}, {@link #register} the memory and
 * {@linkplain #createReceiveQueue create a receive queue} for each peer. Then send the peers the address
 * of the worker, the client id, and the addresses and keys of the memory.
 *
 * <p>UCX before 1.14 (the software DOCA's is 1.13) cannot export memory handles: memory is
 * registered by its remote key, and the worker reads and writes it through UCX.
 */
public final class RdmoPlugin {

    /** The plugin's name: the name of its file without {@code .so}. */
    public static final String NAME = "worker_rdmo";

    /** The version of the plugin that this host side supports. */
    public static final long VERSION = 1;

    /** The plugin's commands for {@code dev.jurom.Worker}. The answers are copies. */
    public static final Offload<RdmoCommand, RdmoNotification> COMMANDS =
            Offload.of(NAME, VERSION, RdmoCodec.COMMAND, RdmoCodec.NOTIFICATION);

    private final UromWorker worker;
    private final PluginInfo plugin;
    private final Map<Long, Registration> registrations = new HashMap<>(); // by key
    private @Nullable HostMemory memory; // the client's memory; null: not initialized

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
     * @return the plugin, in the version that this host side supports
     * @throws DocaException with {@code NOT_FOUND} if the service does not offer it
     * @throws IllegalStateException if it has another version
     */
    public static PluginInfo find(UromService service) {
        return service.plugin(NAME).requireVersion(VERSION);
    }

    /**
     * Returns a host side for a worker.
     *
     * @param worker a running worker that has loaded the plugin
     * @param plugin the result of {@link #find}
     * @return the host side
     * @throws IllegalStateException if the plugin has another version than this host side
     */
    public static RdmoPlugin of(UromWorker worker, PluginInfo plugin) {
        return new RdmoPlugin(worker, plugin.requireVersion(VERSION));
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
     * Registers this process at the worker as a client, whose memory requests access. Stands for
     * {@code UROM_WORKER_CMD_RDMO_CLIENT_INIT}.
     *
     * @param id the id of this client in requests, unique at the worker
     * @param host the access to this process's memory; it must remain open until the worker is closed
     * @param timeout the maximum time to wait for the answer
     * @return the address of the worker's own UCP worker, to which peers send their requests
     * @throws DocaException with {@code ALREADY_EXIST} if the worker has a client with this id, or
     *         one for this connection
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
     * Creates a queue at the worker, which accepts the requests of a peer from then on. Stands for
     * {@code UROM_WORKER_CMD_RDMO_RQ_CREATE}.
     *
     * @param peerAddress the address of the peer's UCP worker, {@link RdmoPeer#address()}
     * @param timeout the maximum time to wait for the answer
     * @return the queue's id
     * @throws DocaException with {@code INVALID_VALUE} or another error if the worker cannot connect to
     *         the peer, {@code BAD_STATE} or {@code NOT_FOUND} if this client is not initialized
     */
    public long createReceiveQueue(byte[] peerAddress, Duration timeout) {
        return call(
                new CreateReceiveQueue(MemorySegment.ofArray(peerAddress)),
                answer -> ((ReceiveQueueCreated) answer).id(),
                timeout);
    }

    /**
     * Revokes the access of a peer, and waits until its earlier requests have been executed. Stands for
     * two {@code UROM_WORKER_CMD_RDMO_RQ_DESTROY}: the worker answers the first immediately, and the
     * second when the queue has been destroyed.
     *
     * @param queue the result of {@link #createReceiveQueue}
     * @param timeout the maximum time to wait
     * @throws DocaException with {@code NOT_FOUND} if there is no such queue
     */
    public void destroyReceiveQueue(long queue, Duration timeout) {
        var begin = System.nanoTime();
        call(new DestroyReceiveQueue(queue), Function.identity(), timeout);
        var left = timeout.minusNanos(System.nanoTime() - begin);
        try {
            call(new DestroyReceiveQueue(queue), Function.identity(), left.isNegative() ? Duration.ZERO : left);
        } catch (DocaException e) {
            if (e.error() == DocaError.TIME_OUT) { // else the queue has been destroyed
                throw e;
            }
        }
    }

    /**
     * Registers a region, which requests can access from then on. Stands for
     * {@code UROM_WORKER_CMD_RDMO_MR_REG}.
     *
     * @param region memory that is shared by the client's {@link HostMemory}; it cannot be closed
     *        until it is deregistered or the worker is closed
     * @param timeout the maximum time to wait for the answer
     * @return the key of the region in requests
     * @throws IllegalStateException if the client is not initialized, or the region is closed
     * @throws IllegalArgumentException if another {@link HostMemory} shares the region
     * @throws DocaException if the worker cannot access it
     */
    public long register(HostRegion region, Duration timeout) {
        if (memory == null) {
            throw new IllegalStateException(
                    "The client of " + worker + " is not initialized: call initializeClient before register");
        }
        if (region.host() != memory) {
            throw new IllegalArgumentException(
                    region + " belongs to another HostMemory than the one that the client was initialized with");
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
     * Deregisters a region: the worker begins no write to it after this. Earlier writes may still
     * complete later. Before the memory is freed or reused, all peers must flush, or their queues must
     * be {@linkplain #destroyReceiveQueue destroyed}. Stands for {@code UROM_WORKER_CMD_RDMO_MR_DEREG}.
     *
     * @param key the result of {@link #register}; later requests with this key fail
     * @param timeout the maximum time to wait for the answer
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
    public static void fill(CommandTask task, RdmoCommand command) {
        task.setPayloadLength(RdmoCodec.COMMAND.pack(command, task.payload()));
    }

    /**
     * Returns the answer to a command.
     *
     * @param task a completed task of this plugin
     * @return the notification; its segments are slices of the task's response
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
            case NOT_FOUND -> "A queue or key must be one that this worker returned and that has not been destroyed.";
            case ALREADY_EXIST -> "Each connection to a worker is one client with a unique id.";
            default -> task.advice();
        };
    }

    private <R> R call(RdmoCommand command, Function<RdmoNotification, R> reader, Duration timeout) {
        return BlockingCall.run(
                worker, plugin, task -> fill(task, command), task -> reader.apply(answer(task)), timeout);
    }
}

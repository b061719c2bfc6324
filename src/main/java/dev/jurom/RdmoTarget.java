// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.internal.Deadline;
import dev.jurom.internal.Dependents;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.rdmo.RdmoCommand;
import dev.jurom.plugin.rdmo.RdmoCommand.CreateReceiveQueue;
import dev.jurom.plugin.rdmo.RdmoCommand.DeregisterMemory;
import dev.jurom.plugin.rdmo.RdmoCommand.DestroyReceiveQueue;
import dev.jurom.plugin.rdmo.RdmoCommand.RegisterMemory;
import dev.jurom.plugin.rdmo.RdmoNotification.MemoryRegistered;
import dev.jurom.plugin.rdmo.RdmoNotification.ReceiveQueueCreated;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory of this process that others write to, through a worker and without this process: the RDMO
 * plugin for any thread. Each peer introduces itself ({@link RdmoWriter#introduction()}) and is
 * {@linkplain #invite invited}; then it appends, scatters and flushes.
 *
 * {@snippet class="dev.jurom.RdmoTargetTest" region="target"}
 *
 * <p>The worker checks each request against the memory, and refuses what reaches outside. One
 * worker may have several targets. A target is closed before its worker, whose {@link Worker#close}
 * would throw; {@link Urom#close} closes all in order.
 *
 * <p>Worker, target and peers are on one machine, unless the environment variable {@code UCX_TLS}
 * names transports for the network: see {@link dev.jurom.plugin.HostMemory} for what those open.
 */
public final class RdmoTarget implements AutoCloseable {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final VarHandle POINTER = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

    private final Worker worker;
    private final RdmoHost.Client client;
    private final HostRegion region;
    private final long key;
    private final Map<Long, Long> queues = new ConcurrentHashMap<>(); // by invitation
    private final Dependents.Dependent membership;
    private final ReentrantLock ending = new ReentrantLock();
    private boolean freed; // guarded by ending
    private volatile boolean closing; // no more invitations

    private RdmoTarget(Worker worker, RdmoHost.Client client, HostRegion region, long key) {
        this.worker = worker;
        this.client = client;
        this.region = region;
        this.key = key;
        this.membership = new Dependents.Dependent(this, other -> other == worker, () -> false, this::closeBy);
    }

    /**
     * Makes memory that peers can be invited to, filled with zeros. Waits for the worker's answers
     * as {@link Worker#call} does. Stands for {@code UROM_WORKER_CMD_RDMO_CLIENT_INIT} and
     * {@code UROM_WORKER_CMD_RDMO_MR_REG}.
     *
     * @param worker a running worker that was started with the plugin {@code worker_rdmo}
     * @param size how many bytes, at least 1
     * @return the target, to be closed before the worker
     * @throws IllegalArgumentException if the size is less than 1
     * @throws DocaException if the worker does not have the plugin ({@code NOT_FOUND}) or cannot
     *         reach the memory
     * @throws RuntimeException if UCX does not work here: the message says how to install it
     * @throws InterruptedException if the calling thread is interrupted meanwhile
     */
    public static RdmoTarget open(Worker worker, long size) throws InterruptedException {
        if (size < 1) {
            throw new IllegalArgumentException("A target of " + size + " bytes holds nothing: it needs at least 1");
        }
        worker.plugin(RdmoPlugin.COMMANDS);
        var client = worker.rdmo().client(command -> worker.call(RdmoPlugin.COMMANDS, command));
        var region = client.memory().allocate(size);
        try {
            var answer = (MemoryRegistered) worker.call(
                    RdmoPlugin.COMMANDS,
                    new RegisterMemory(
                            region.address(),
                            region.length(),
                            MemorySegment.ofArray(region.packedKey()),
                            MemorySegment.NULL));
            var target = new RdmoTarget(worker, client, region, answer.key());
            worker.dependents().add(target.membership, worker::requireOpen);
            return target;
        } catch (RuntimeException | Error | InterruptedException e) {
            region.close(); // no peer knows of it
            throw e;
        }
    }

    /**
     * The memory. What a peer has written is there when its flush is answered, and can be seen once
     * the peer has said so.
     *
     * @return native memory that begins at a multiple of 8; any thread may use it, until this is
     *         closed
     */
    public MemorySegment memory() {
        return region.memory();
    }

    /**
     * Has a pointer in the memory, to which peers append, point to a place in it. Whoever appends
     * moves it.
     *
     * @param pointer where the pointer lies, from the beginning of the memory: a multiple of 8
     * @param place where the next append goes, from the beginning of the memory
     * @throws IndexOutOfBoundsException if the pointer or the place is not in the memory
     * @throws IllegalStateException if this is closed
     */
    public void setPointer(long pointer, long place) {
        memory().asSlice(place); // it is in there
        POINTER.setVolatile(memory(), pointer, memory().address() + place);
    }

    /**
     * Where a pointer in the memory points to.
     *
     * @param pointer where the pointer lies, from the beginning of the memory: a multiple of 8
     * @return where the next append goes, from the beginning of the memory
     * @throws IndexOutOfBoundsException if it is not in the memory
     * @throws IllegalStateException if this is closed
     */
    public long pointer(long pointer) {
        return (long) POINTER.getVolatile(memory(), pointer) - memory().address();
    }

    /**
     * Has the worker take a peer's requests from now on. Waits for its answer as
     * {@link Worker#call} does. Stands for {@code UROM_WORKER_CMD_RDMO_RQ_CREATE}.
     *
     * @param introduction what {@link RdmoWriter#introduction()} gave, in the peer's process
     * @return what the peer needs to connect: send it the bytes
     * @throws DocaException if the peer cannot be reached, or the worker has too many
     *         ({@code FULL})
     * @throws IllegalStateException if this is closed
     * @throws InterruptedException if the calling thread is interrupted meanwhile
     */
    public RdmoInvitation invite(byte[] introduction) throws InterruptedException {
        requireOpen();
        var answer = (ReceiveQueueCreated)
                worker.call(RdmoPlugin.COMMANDS, new CreateReceiveQueue(MemorySegment.ofArray(introduction)));
        var number = RANDOM.nextLong();
        queues.put(number, answer.id());
        if (closing) {
            dismiss(number, Deadline.in(Deadline.PATIENCE)); // close may not have seen it
        }
        requireOpen();
        return new RdmoInvitation(
                client.id(),
                key,
                memory().address(),
                memory().byteSize(),
                number,
                client.workerAddress().clone());
    }

    private void requireOpen() {
        if (closing) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /**
     * Revokes the access of a peer: the worker finishes its requests and accepts no more of them. No
     * effect if that was done. Blocks for at most one minute. Not interruptible: the interrupt status
     * is preserved. Stands for {@code UROM_WORKER_CMD_RDMO_RQ_DESTROY}.
     *
     * @param invitation what {@link #invite} of this target returned, or a copy that was made of its
     *        bytes
     * @throws IllegalArgumentException if it is the invitation of another target; nothing is changed
     * @throws DocaException with {@code TIME_OUT} if the worker does not answer
     */
    public void dismiss(RdmoInvitation invitation) {
        if (invitation.client() != client.id()
                || invitation.key() != key
                || !Arrays.equals(invitation.workerAddress(), client.workerAddress())) {
            throw new IllegalArgumentException(
                    "The " + invitation + " is one of another target: " + this + " has not made it");
        }
        dismiss(invitation.number(), Deadline.in(Deadline.PATIENCE));
    }

    private void dismiss(long number, Deadline deadline) {
        var queue = queues.get(number);
        if (queue != null) {
            finish(new DestroyReceiveQueue(queue), deadline);
            awaitEnd(queue, deadline);
            queues.remove(number);
        }
    }

    /**
     * Dismisses all peers, and frees the memory. No effect if this is closed. Blocks for at most one
     * minute. Not interruptible: the interrupt status is preserved. Stands for
     * {@code UROM_WORKER_CMD_RDMO_MR_DEREG}.
     *
     * @throws DocaException with {@code TIME_OUT} if the worker does not answer: the memory is
     *         kept, since it may still be written to; call this method again
     * @throws IllegalStateException if a channel or a native call uses the memory: peers do not
     *         reach it any more, and it is kept; call this method again
     */
    @Override
    public void close() {
        closeBy(Deadline.in(Deadline.PATIENCE));
    }

    private void closeBy(Deadline deadline) {
        closing = true;
        ending.lock();
        try {
            if (!freed) {
                queues.keySet().forEach(number -> dismiss(number, deadline));
                finish(new DeregisterMemory(key), deadline); // now nothing is under way to it
                region.close();
                freed = true;
                worker.dependents().remove(membership);
            }
        } finally {
            ending.unlock();
        }
    }

    /** Waits until the earlier requests of a queue that was destroyed are carried out. */
    private void awaitEnd(long queue, Deadline deadline) {
        try {
            finish(new DestroyReceiveQueue(queue), deadline);
        } catch (DocaException e) {
            if (e.error() == DocaError.TIME_OUT) { // else the queue has ended
                throw e;
            }
        }
    }

    /** Submits a command that ends something; an object that the worker does not know has ended. */
    private void finish(RdmoCommand command, Deadline deadline) {
        var interrupted = false;
        try {
            while (worker.isRunning()) {
                try {
                    worker.callBy(deadline, RdmoPlugin.COMMANDS, command);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true; // the worker does it all the same: asked again, it says so
                } catch (DocaException e) {
                    if (e.error() != DocaError.NOT_FOUND && e.error() != DocaError.CONNECTION_RESET) {
                        throw e;
                    }
                    return;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return "RDMO target of " + region.length() + " bytes on " + worker;
    }
}

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
 * Memory of this process that other processes write to through the RDMO plugin of a worker, without
 * involving this process. A peer sends its {@linkplain RdmoWriter#introduction() introduction} and is
 * {@linkplain #invite invited}; then it appends, scatters and flushes.
 *
 * {@snippet class="dev.jurom.RdmoTargetTest" region="target"}
 *
 * <p>The worker rejects requests that access addresses outside of the memory. A worker can have several
 * targets. Close a target before its worker, whose {@link Worker#close} throws otherwise.
 * {@link Urom#close} closes all objects in order. This class is thread-safe.
 *
 * <p>Worker, target and peers run on the same machine, unless the environment variable {@code UCX_TLS}
 * names network transports: {@link dev.jurom.plugin.HostMemory} describes what those expose.
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
     * Creates a target, whose memory is filled with zeros. Waits for the worker's answers as
     * {@link Worker#call} does. Stands for {@code UROM_WORKER_CMD_RDMO_CLIENT_INIT} and
     * {@code UROM_WORKER_CMD_RDMO_MR_REG}.
     *
     * @param worker a running worker that was started with the plugin {@code worker_rdmo}
     * @param size the size of the memory in bytes, at least 1
     * @return the target, to be closed before the worker
     * @throws IllegalArgumentException if the size is less than 1
     * @throws DocaException if the worker does not have the plugin ({@code NOT_FOUND}) or cannot
     *         access the memory, or UCX cannot be used ({@code INITIALIZATION}) or cannot map the memory
     *         ({@code IO_FAILED})
     * @throws dev.jurom.runtime.LibraryLoadException if UCX is not installed; the message states how to install it
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public static RdmoTarget open(Worker worker, long size) throws InterruptedException {
        if (size < 1) {
            throw new IllegalArgumentException("The size of a target is " + size + " bytes: it must be at least 1");
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
            region.close(); // no peer has its address
            throw e;
        }
    }

    /**
     * Returns the memory. Data of a peer is in the memory when the worker has answered a later flush; the
     * peer must notify this process of that.
     *
     * @return native memory, aligned to 8 bytes, which all threads can access until this is closed
     */
    public MemorySegment memory() {
        return region.memory();
    }

    /**
     * Sets a pointer in the memory to an offset. Each append through the pointer advances it.
     *
     * @param pointer the offset of the pointer in the memory, a multiple of 8
     * @param place the offset of the next append in the memory
     * @throws IndexOutOfBoundsException if an offset is not in the memory
     * @throws IllegalStateException if this is closed
     */
    public void setPointer(long pointer, long place) {
        memory().asSlice(place); // checks the offset
        POINTER.setVolatile(memory(), pointer, memory().address() + place);
    }

    /**
     * Returns the offset that a pointer in the memory contains.
     *
     * @param pointer the offset of the pointer in the memory, a multiple of 8
     * @return the offset of the next append in the memory
     * @throws IndexOutOfBoundsException if the pointer is not in the memory
     * @throws IllegalStateException if this is closed
     */
    public long pointer(long pointer) {
        return (long) POINTER.getVolatile(memory(), pointer) - memory().address();
    }

    /**
     * Invites a peer, whose requests the worker accepts from then on. Waits for the worker's answer as
     * {@link Worker#call} does. Stands for {@code UROM_WORKER_CMD_RDMO_RQ_CREATE}.
     *
     * @param introduction the result of {@link RdmoWriter#introduction()} in the peer's process
     * @return the invitation, which the application sends to the peer
     * @throws DocaException if the worker cannot connect to the peer, or has too many peers
     *         ({@code FULL})
     * @throws IllegalStateException if this is closed
     * @throws InterruptedException if the current thread is interrupted while waiting
     */
    public RdmoInvitation invite(byte[] introduction) throws InterruptedException {
        requireOpen();
        var answer = (ReceiveQueueCreated)
                worker.call(RdmoPlugin.COMMANDS, new CreateReceiveQueue(MemorySegment.ofArray(introduction)));
        var number = RANDOM.nextLong();
        queues.put(number, answer.id());
        if (closing) {
            dismiss(number, Deadline.in(Deadline.OPERATION_TIMEOUT)); // close() may have run before the queue was added
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
     * Revokes the access of a peer: the worker completes its earlier requests and rejects later ones. No
     * effect if the access was revoked before. Blocks for at most one minute. Not interruptible: the
     * interrupt status is preserved. Stands for {@code UROM_WORKER_CMD_RDMO_RQ_DESTROY}.
     *
     * @param invitation the result of {@link #invite} of this target, or a decoded copy of it
     * @throws IllegalArgumentException if it is the invitation of another target; nothing is changed
     * @throws DocaException with {@code TIME_OUT} if the worker does not answer
     */
    public void dismiss(RdmoInvitation invitation) {
        if (invitation.client() != client.id()
                || invitation.key() != key
                || !Arrays.equals(invitation.workerAddress(), client.workerAddress())) {
            throw new IllegalArgumentException("The " + invitation + " belongs to another target than this " + this);
        }
        dismiss(invitation.number(), Deadline.in(Deadline.OPERATION_TIMEOUT));
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
     * Revokes the access of all peers and frees the memory. No effect if this is closed. Blocks for at most one
     * minute. Not interruptible: the interrupt status is preserved. Stands for
     * {@code UROM_WORKER_CMD_RDMO_MR_DEREG}.
     *
     * @throws DocaException with {@code TIME_OUT} if the worker does not answer. The memory is not
     *         freed, because peers may still write to it; call this method again
     * @throws IllegalStateException if a channel or a native call uses the memory. It is not freed, but
     *         peers can no longer access it; call this method again. Or if the current thread is the
     *         engine thread; nothing is changed
     */
    @Override
    public void close() {
        closeBy(Deadline.in(Deadline.OPERATION_TIMEOUT));
    }

    private void closeBy(Deadline deadline) {
        worker.requireOtherThread();
        closing = true;
        ending.lock();
        try {
            if (!freed) {
                queues.keySet().forEach(number -> dismiss(number, deadline));
                finish(new DeregisterMemory(key), deadline); // no write to it is in flight any more
                region.close();
                freed = true;
                worker.dependents().remove(membership);
            }
        } finally {
            ending.unlock();
        }
    }

    /** Waits until the earlier requests of a destroyed queue have been executed. */
    private void awaitEnd(long queue, Deadline deadline) {
        try {
            finish(new DestroyReceiveQueue(queue), deadline);
        } catch (DocaException e) {
            if (e.error() == DocaError.TIME_OUT) { // else the queue has been destroyed
                throw e;
            }
        }
    }

    /** Submits a command that destroys an object. No effect if the worker no longer has the object. */
    private void finish(RdmoCommand command, Deadline deadline) {
        var interrupted = false;
        try {
            while (worker.isRunning()) {
                try {
                    worker.callBy(deadline, RdmoPlugin.COMMANDS, command);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true; // the worker executes the command; the next attempt finds no object
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

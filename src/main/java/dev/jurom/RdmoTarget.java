// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaException;
import dev.jurom.internal.DrivenTarget;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

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

    private static final VarHandle POINTER =
            ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

    private final DrivenTarget target;

    private RdmoTarget(DrivenTarget target) {
        this.target = target;
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
            throw new IllegalArgumentException("A target of " + size
                    + " bytes holds nothing: it needs at least 1");
        }
        worker.driven().requirePlugin(RdmoPlugin.COMMANDS);
        return new RdmoTarget(DrivenTarget.open(worker.driven(), size));
    }

    /**
     * The memory. What a peer has written is there when its flush is answered, and can be seen once
     * the peer has said so.
     *
     * @return native memory that begins at a multiple of 8; any thread may use it, until this is
     *         closed
     */
    public MemorySegment memory() {
        return target.memory();
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
        var queue = target.accept(introduction);
        return new RdmoInvitation(target.client(), target.key(), memory().address(),
                memory().byteSize(), target.workerAddress(), queue);
    }

    /**
     * Has the worker finish what a peer has asked for, and take no more of it. No effect if that
     * was done. Waits for a minute at most; an interrupt is kept for later. Stands for
     * {@code UROM_WORKER_CMD_RDMO_RQ_DESTROY}.
     *
     * @param invitation what {@link #invite} of this target gave
     * @throws DocaException with {@code TIME_OUT} if the worker does not answer
     */
    public void dismiss(RdmoInvitation invitation) {
        target.dismiss(invitation.queue());
    }

    /**
     * Dismisses all peers, and frees the memory. No effect if it is closed. Takes a minute at most;
     * an interrupt is kept for later. Stands for {@code UROM_WORKER_CMD_RDMO_MR_DEREG}.
     *
     * @throws DocaException with {@code TIME_OUT} if the worker does not answer: the memory is
     *         kept, since it may still be written to, and this can be closed again
     */
    @Override
    public void close() {
        target.close();
    }

    @Override
    public String toString() {
        return target.toString();
    }
}

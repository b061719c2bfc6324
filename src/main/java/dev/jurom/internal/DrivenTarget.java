// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.HostRegion;
import dev.jurom.plugin.rdmo.RdmoCommand;
import dev.jurom.plugin.rdmo.RdmoCommand.CreateReceiveQueue;
import dev.jurom.plugin.rdmo.RdmoCommand.DeregisterMemory;
import dev.jurom.plugin.rdmo.RdmoCommand.DestroyReceiveQueue;
import dev.jurom.plugin.rdmo.RdmoCommand.RegisterMemory;
import dev.jurom.plugin.rdmo.RdmoNotification.MemoryRegistered;
import dev.jurom.plugin.rdmo.RdmoNotification.ReceiveQueueCreated;
import dev.jurom.plugin.rdmo.RdmoPlugin;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory of this process that peers write to through a worker's RDMO plugin: its arena, its region,
 * its key, and a queue for each peer. The facade's {@code RdmoTarget} stands for one, and says what
 * its callers may rely on.
 */
public final class DrivenTarget implements Dependent {

    private final DrivenWorker worker;
    private final RdmoHost.Client client;
    private final Arena arena;
    private final HostRegion region;
    private final long key;
    private final Set<Long> queues = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean freed = new AtomicBoolean();
    private volatile boolean closing; // no more invitations

    private DrivenTarget(DrivenWorker worker, RdmoHost.Client client, Arena arena,
            HostRegion region, long key) {
        this.worker = worker;
        this.client = client;
        this.arena = arena;
        this.region = region;
        this.key = key;
    }

    /**
     * Makes memory, and lets requests reach it.
     *
     * @param worker a running worker with the RDMO plugin
     * @param size how many bytes, at least 1
     * @return to be closed before the worker
     * @throws InterruptedException if the calling thread is interrupted meanwhile
     */
    public static DrivenTarget open(DrivenWorker worker, long size) throws InterruptedException {
        var client = worker.rdmo().client();
        var arena = Arena.ofShared();
        HostRegion region = null;
        try {
            region = client.memory().share(arena.allocate(size, Long.BYTES));
            var answer = (MemoryRegistered) worker.call(RdmoPlugin.COMMANDS,
                    new RegisterMemory(region.address(), region.length(),
                            MemorySegment.ofArray(region.packedKey()), MemorySegment.NULL));
            var target = new DrivenTarget(worker, client, arena, region, answer.key());
            worker.service().dependents().add(target, List.of(worker));
            return target;
        } catch (RuntimeException | Error | InterruptedException e) {
            if (region != null) {
                region.close(); // no peer knows of it
            }
            arena.close();
            throw e;
        }
    }

    /**
     * The memory.
     *
     * @return native memory that any thread may use as long as this is open
     */
    public MemorySegment memory() {
        return region.memory();
    }

    /**
     * By what requests name this process.
     *
     * @return the client's id
     */
    public long client() {
        return client.id();
    }

    /**
     * By what requests name the memory.
     *
     * @return the region's key
     */
    public long key() {
        return key;
    }

    /**
     * Where peers send their requests.
     *
     * @return the address of the worker's own UCP worker
     */
    public byte[] workerAddress() {
        return client.workerAddress().clone();
    }

    /**
     * Has the worker accept the requests of a peer.
     *
     * @param peer the address of its UCP worker
     * @return the queue's id
     * @throws InterruptedException if the calling thread is interrupted meanwhile
     */
    public long accept(byte[] peer) throws InterruptedException {
        requireOpen();
        var answer = (ReceiveQueueCreated) worker.call(RdmoPlugin.COMMANDS,
                new CreateReceiveQueue(MemorySegment.ofArray(peer)));
        queues.add(answer.id());
        if (closing) {
            dismiss(answer.id()); // who closes this may not have seen it
        }
        requireOpen();
        return answer.id();
    }

    private void requireOpen() {
        if (closing) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /**
     * Has the worker finish what a peer has asked for, and accept no more; no effect if that was
     * done. Waits for a minute at most; an interrupt is kept for later.
     *
     * @param queue the peer's
     */
    public void dismiss(long queue) {
        dismiss(queue, Deadline.in(DrivenService.PATIENCE));
    }

    private void dismiss(long queue, Deadline deadline) {
        if (queues.contains(queue)) {
            finish(new DestroyReceiveQueue(queue), deadline);
            queues.remove(queue);
        }
    }

    /** Closes this, within a minute. An interrupt is kept for later. */
    public void close() {
        close(Deadline.in(DrivenService.PATIENCE));
    }

    @Override
    public void close(Deadline deadline) {
        closing = true;
        if (freed.get()) {
            return;
        }
        queues.forEach(queue -> dismiss(queue, deadline)); // then nothing is under way to it
        finish(new DeregisterMemory(key), deadline);
        if (freed.compareAndSet(false, true)) {
            region.close();
            arena.close();
            worker.service().dependents().remove(this);
        }
    }

    /** Has the worker end something; what it does not know, or has taken along, has ended. */
    private void finish(RdmoCommand command, Deadline deadline) {
        var interrupted = false;
        try {
            while (worker.isRunning()) {
                try {
                    worker.call(RdmoPlugin.COMMANDS, command,
                            Duration.ofNanos(deadline.remaining()));
                    return;
                } catch (InterruptedException e) {
                    interrupted = true; // the worker does it all the same: asked again, it says so
                } catch (DocaException e) {
                    if (e.error() != DocaError.NOT_FOUND
                            && e.error() != DocaError.CONNECTION_RESET) {
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
    public boolean needs(DrivenWorker other) {
        return other == worker;
    }

    @Override
    public boolean isEnding() {
        return false;
    }

    @Override
    public String toString() {
        return "RDMO target of " + region.length() + " bytes on " + worker;
    }
}

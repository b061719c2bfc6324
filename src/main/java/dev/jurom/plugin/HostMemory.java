// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Poll;
import dev.jurom.plugin.internal.UcxCalls;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.internal.ThreadEnd;
import dev.jurom.ucx.UcxContext;
import dev.jurom.ucx.UcxFeature;
import dev.jurom.ucx.UcxTransports;
import dev.jurom.ucx.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Access of plugins to memory of this process: a UCX worker to whose address plugins connect, and the
 * {@linkplain HostRegion regions} for which it provides remote keys.
 *
 * <p>Some transports, such as tcp, require this process to progress the operations of its peers. A
 * daemon thread of this object does so, and sleeps while there are none.
 *
 * <p>A remote key contains the location of a region, and this process does not check the accesses that
 * use it: an application that passes a key to a worker trusts the worker with the memory of this
 * process. The plugins of jurom check each access against the region. End a plugin's use of a region
 * before closing the region.
 *
 * <p>By default, only processes of this machine can connect, through shared memory, and no port is
 * open. Workers on other machines can connect if the environment variable {@code UCX_TLS} names
 * transports for the network, such as {@code tcp}. UCX's tcp transport listens on all interfaces, and
 * each peer that reaches its port can read and write all memory of this process: use it only in
 * trusted networks.
 *
 * <p>This class is thread-safe.
 */
public final class HostMemory implements AutoCloseable {

    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);
    private static final System.Logger LOGGER = System.getLogger("dev.jurom.plugin");

    private final UcxContext context;
    private final Thread thread;
    private final byte[] address;
    private @Nullable UcxWorker worker; // null unless the thread serves; guarded by this
    private int regions; // open ones; guarded by this
    private boolean closed; // guarded by this

    private HostMemory() {
        DocaRuntime.current();
        context = UcxCalls.call(
                DocaError.INITIALIZATION,
                "ucp_init_version",
                () -> UcxContext.open(
                        EnumSet.of(UcxFeature.REMOTE_MEMORY, UcxFeature.ATOMICS_64, UcxFeature.WAKE_UP),
                        UcxTransports.settings()));
        var ready = new CompletableFuture<byte[]>();
        thread = Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .daemon()
                .name("jurom-host-memory")
                .start(() -> serve(ready));
        try {
            address = ready.join();
        } catch (CompletionException e) {
            context.close();
            var cause = ready.exceptionNow();
            throw UcxCalls.failure(DocaError.INITIALIZATION, "ucp_worker_create", cause);
        }
    }

    /**
     * Opens access to this process, which any number of regions and plugins can share.
     *
     * @return an open host memory, to be closed after its regions
     * @throws DocaException with {@code INITIALIZATION} if UCX cannot be used on this machine
     * @throws dev.jurom.runtime.LibraryLoadException if UCX is not installed; the message states how to install it
     */
    public static HostMemory open() {
        return new HostMemory();
    }

    private void serve(CompletableFuture<byte[]> ready) {
        try (var ours = context.createWorker();
                var arena = Arena.ofConfined()) {
            var poll = new Poll(arena, ours.eventDescriptor());
            setWorker(ours);
            try {
                ready.complete(ours.address());
                while (isOpen()) {
                    if (!progress(ours) && ours.arm()) {
                        poll.await(LONGEST_SLEEP);
                    }
                }
            } finally {
                setWorker(null);
            }
        } catch (RuntimeException | Error e) {
            if (!ready.completeExceptionally(e)) {
                LOGGER.log(System.Logger.Level.ERROR, "Plugins cannot reach shared memory any more", e);
            }
        }
    }

    private static boolean progress(UcxWorker worker) {
        var moved = false;
        while (worker.progress()) {
            moved = true;
        }
        return moved;
    }

    private synchronized void setWorker(@Nullable UcxWorker served) {
        worker = served;
    }

    private synchronized boolean isOpen() {
        return !closed;
    }

    /**
     * Returns the address of the UCP worker to which plugins connect. Stands for
     * {@code ucp_worker_get_address}.
     *
     * @return a copy of the packed address
     */
    public byte[] address() {
        return address.clone();
    }

    /**
     * Shares memory. Stands for {@code ucp_mem_map} and {@code ucp_rkey_pack}.
     *
     * @param memory native memory of at least one byte. The caller keeps its arena open until the
     *        region is closed: Java cannot enforce it, and plugins would write to freed memory. Use
     *        {@link #allocate} for memory that the region owns
     * @return the region, to be closed before this
     * @throws IllegalArgumentException if it is heap memory or empty
     * @throws IllegalStateException if this is closed
     * @throws DocaException with {@code IO_FAILED} if UCX cannot map the memory
     */
    public HostRegion share(MemorySegment memory) {
        return share(memory, null);
    }

    /**
     * Allocates memory and shares it. The region owns the memory: it cannot be freed while an open
     * domain or worker gives plugins access to it. Stands for {@code ucp_mem_map} and
     * {@code ucp_rkey_pack}.
     *
     * @param size the number of bytes, at least 1
     * @return the region, to be closed before this; its memory is filled with zeros, begins at a
     *         multiple of 8, and can be used by any thread until the region is closed
     * @throws IllegalArgumentException if the size is less than 1
     * @throws IllegalStateException if this is closed
     * @throws DocaException with {@code IO_FAILED} if UCX cannot map the memory
     */
    public HostRegion allocate(long size) {
        var arena = Arena.ofShared();
        try {
            return share(arena.allocate(size, Long.BYTES), arena);
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    private synchronized HostRegion share(MemorySegment memory, @Nullable Arena arena) {
        if (closed) {
            throw new IllegalStateException("This host memory is closed");
        }
        var mapping = UcxCalls.call(DocaError.IO_FAILED, "ucp_mem_map", () -> context.map(memory));
        var region = new HostRegion(this, memory, mapping, arena);
        regions++;
        return region;
    }

    synchronized void regionClosed() {
        regions--;
    }

    /**
     * Ends the access to this process. No effect if this is closed. Blocks until the daemon thread has
     * ended. Not interruptible: the interrupt status is preserved.
     *
     * @throws IllegalStateException if regions are open; nothing is changed
     */
    @Override
    public void close() {
        synchronized (this) {
            if (regions > 0) {
                throw new IllegalStateException(
                        "This host memory still has " + regions + " open regions: close them first");
            }
            closed = true;
            if (worker != null) {
                worker.signal();
            }
        }
        ThreadEnd.await(thread);
        context.close();
    }
}

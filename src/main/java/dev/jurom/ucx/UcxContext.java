// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucp_params;
import dev.jurom.abi.ucx.ucx_h;
import dev.jurom.runtime.LibraryLoadException;
import dev.jurom.runtime.internal.Environment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The transports and devices that UCX uses: the parent of workers and mapped memory. Any thread may
 * use it. Stands for {@code ucp_context_h}.
 */
public final class UcxContext implements AutoCloseable {

    private final MemorySegment handle;
    private final Set<UcxFeature> features;
    private final AtomicInteger children = new AtomicInteger();
    private boolean closed;

    private UcxContext(MemorySegment handle, Set<UcxFeature> features) {
        this.handle = handle;
        this.features = Set.copyOf(features);
    }

    /**
     * Opens a context whose workers may live on different threads; the first one loads UCX. Stands
     * for {@code ucp_config_read}, {@code ucp_config_modify} and {@code ucp_init}.
     *
     * @param features what it must be able to do, at least one
     * @param settings UCX variables without {@code UCX_}, such as {@code TLS}; they take precedence
     *        over the environment
     * @return the context; close it after its workers and memory
     * @throws LibraryLoadException if UCX is not installed; the message says how to
     * @throws UcxException if UCX does not take a setting, or no transport is left
     */
    public static UcxContext open(Set<UcxFeature> features, Map<String, String> settings) {
        UcxLibrary.load();
        try (var arena = Arena.ofConfined()) {
            var pointer = arena.allocate(ValueLayout.ADDRESS);
            UcxStatus.require(
                    "The configuration of UCX could not be read",
                    ucx_h.ucp_config_read(MemorySegment.NULL, MemorySegment.NULL, pointer));
            var config = pointer.get(ValueLayout.ADDRESS, 0);
            try {
                settings.forEach((name, value) -> modify(config, name, value));
                Environment.openUcx(() -> UcxStatus.require(
                        "A UCX context could not be opened",
                        ucx_h.ucp_init_version(
                                ucx_h.UCP_API_MAJOR(),
                                ucx_h.UCP_API_MINOR(),
                                parameters(arena, features),
                                config,
                                pointer)));
            } finally {
                ucx_h.ucp_config_release(config);
            }
            return new UcxContext(pointer.get(ValueLayout.ADDRESS, 0), features);
        }
    }

    private static void modify(MemorySegment config, String name, String value) {
        try (var arena = Arena.ofConfined()) {
            UcxStatus.require(
                    "UCX does not take " + name + "=" + value,
                    ucx_h.ucp_config_modify(config, arena.allocateFrom(name), arena.allocateFrom(value)));
        }
    }

    private static MemorySegment parameters(Arena arena, Set<UcxFeature> features) {
        var parameters = ucp_params.allocate(arena);
        ucp_params.field_mask(parameters, ucx_h.UCP_PARAM_FIELD_FEATURES() | ucx_h.UCP_PARAM_FIELD_MT_WORKERS_SHARED());
        ucp_params.features(
                parameters, features.stream().mapToLong(UcxFeature::bit).reduce(0, (a, b) -> a | b));
        ucp_params.mt_workers_shared(parameters, 1);
        return parameters;
    }

    /**
     * Makes a worker that belongs to the calling thread. Stands for {@code ucp_worker_create}.
     *
     * @return the worker; close it on this thread
     * @throws IllegalStateException if this context is closed
     */
    public UcxWorker createWorker() {
        requireOpen();
        return new UcxWorker(this);
    }

    /**
     * Makes memory accessible to peers. Stands for {@code ucp_mem_map}.
     *
     * @param memory native memory, whose arena must outlive what this returns
     * @return the mapping; close it before this context
     * @throws IllegalArgumentException if it is heap memory or empty
     * @throws IllegalStateException if this context is closed
     */
    public UcxMemory map(MemorySegment memory) {
        requireOpen();
        return new UcxMemory(this, memory);
    }

    /** The native handle; valid while this context is open. */
    MemorySegment handle() {
        return handle;
    }

    boolean has(UcxFeature feature) {
        return features.contains(feature);
    }

    void addChild() {
        children.incrementAndGet();
    }

    void removeChild() {
        children.decrementAndGet();
    }

    private synchronized void requireOpen() {
        if (closed) {
            throw new IllegalStateException("This UCX context is closed");
        }
    }

    /**
     * Closes this context; closing again does nothing. Stands for {@code ucp_cleanup}.
     *
     * @throws IllegalStateException if workers or mapped memory are still open; nothing is changed
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (children.get() > 0) {
            throw new IllegalStateException("This UCX context still has " + children.get()
                    + " open workers or memory mappings: close them first");
        }
        closed = true;
        ucx_h.ucp_cleanup(handle);
    }
}

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
 * The transports and devices that UCX uses: the parent of workers and memory mappings. Stands for
 * {@code ucp_context_h}. This class is thread-safe.
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
     * Opens a context whose workers may belong to different threads; the first call loads UCX.
     * Stands for {@code ucp_config_read}, {@code ucp_config_modify} and {@code ucp_init}.
     *
     * @param features the required features, at least one
     * @param settings UCX variables without {@code UCX_}, such as {@code TLS}; they take precedence
     *         over the environment
     * @return the context, to be closed after its workers and memory mappings
     * @throws LibraryLoadException if UCX is not installed; the message states how to install it
     * @throws UcxException if UCX rejects a setting, no transport is available, or no thread can be created
     */
    public static UcxContext open(Set<UcxFeature> features, Map<String, String> settings) {
        UcxLibrary.load();
        UcxLibrary.requireThread();
        try (var arena = Arena.ofConfined()) {
            var pointer = arena.allocate(ValueLayout.ADDRESS);
            UcxStatus.require(
                    "Reading the configuration of UCX failed",
                    ucx_h.ucp_config_read(MemorySegment.NULL, MemorySegment.NULL, pointer));
            var config = pointer.get(ValueLayout.ADDRESS, 0);
            try {
                settings.forEach((name, value) -> modify(config, name, value));
                Environment.openUcx(() -> UcxStatus.require(
                        "Opening a UCX context failed",
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
                    "UCX rejected " + name + "=" + value,
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
     * Creates a worker that belongs to the calling thread. Stands for {@code ucp_worker_create}.
     *
     * @return the worker, which this thread must close
     * @throws IllegalStateException if this context is closed
     */
    public UcxWorker createWorker() {
        requireOpen();
        return new UcxWorker(this);
    }

    /**
     * Makes memory accessible to peers. Stands for {@code ucp_mem_map}.
     *
     * @param memory native memory, whose arena must outlive the mapping
     * @return the mapping, to be closed before this context
     * @throws IllegalArgumentException if {@code memory} is heap memory or empty
     * @throws IllegalStateException if this context is closed
     */
    public UcxMemory map(MemorySegment memory) {
        requireOpen();
        return new UcxMemory(this, memory);
    }

    /** Returns the native handle, valid while this context is open. */
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
     * Closes this context. Has no effect if it is closed. Stands for {@code ucp_cleanup}.
     *
     * @throws IllegalStateException if workers or memory mappings are open; nothing has changed
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

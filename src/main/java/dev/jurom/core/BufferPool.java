// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import static dev.jurom.core.internal.Status.check;

import dev.jurom.abi.doca.doca_h;
import dev.jurom.core.internal.Count;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;

/**
 * A source of buffers of one size, carved from one memory map. The pool chooses the position of
 * each buffer. Stands for {@code struct doca_buf_pool}; {@link #close()} stands for
 * {@code doca_buf_pool_destroy}.
 */
public final class BufferPool extends BufferSource {

    private static final long MAX_ALIGNMENT = 1L << 62;

    // The second error of each set is that of earlier versions of the library.
    private static final Set<DocaError> TOO_SMALL = EnumSet.of(DocaError.INITIALIZATION, DocaError.INVALID_VALUE);
    private static final Set<DocaError> ALL_OPEN = EnumSet.of(DocaError.EMPTY, DocaError.NO_MEMORY);

    private final MemoryMap map;
    private final long elementSize;

    private BufferPool(MemorySegment handle, MemoryMap map, long elementSize) {
        super(handle, map);
        this.map = map;
        this.elementSize = elementSize;
    }

    /**
     * Creates a stopped pool. Stands for {@code doca_buf_pool_create}.
     *
     * @param capacity the number of buffers, at least 1
     * @param elementSize the size of each buffer in bytes, at least 1
     * @param map the map to carve the buffers from; it must stay open as long as the pool, and be
     *         started before the pool is
     * @return the pool, which the calling thread owns
     * @throws IllegalArgumentException if a number is out of range
     * @throws DocaException if the library cannot create it
     */
    public static BufferPool create(int capacity, long elementSize, MemoryMap map) {
        Count.requireWithin("The number of buffers", capacity, 1, Integer.MAX_VALUE);
        Count.requireWithin("The size of a buffer", elementSize, 1, Long.MAX_VALUE);
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_buf_pool_create(capacity, elementSize, map.handle(), result),
                    "doca_buf_pool_create",
                    "buffer pool of " + capacity + " x " + elementSize + " bytes");
            var pool = result.get(ValueLayout.ADDRESS, 0);
            try {
                return new BufferPool(pool, map, elementSize);
            } catch (IllegalStateException e) {
                doca_h.doca_buf_pool_destroy(pool);
                throw e;
            }
        }
    }

    /**
     * Sets the alignment of the buffers. Stands for {@code doca_buf_pool_set_element_alignment}.
     *
     * @param alignment the alignment in bytes, a power of two
     * @return this
     * @throws IllegalArgumentException if {@code alignment} is not a power of two
     * @throws DocaException with {@code BAD_STATE} if this pool is started, or {@code NOT_PERMITTED}
     *         with earlier versions of the vendor's library
     */
    public BufferPool setAlignment(long alignment) {
        Count.requirePowerOfTwo("The alignment", alignment, MAX_ALIGNMENT);
        check(
                doca_h.doca_buf_pool_set_element_alignment(handle(), alignment),
                "doca_buf_pool_set_element_alignment",
                this);
        return this;
    }

    /**
     * Starts this pool. Stands for {@code doca_buf_pool_start}.
     *
     * @return this
     * @throws IllegalStateException if the memory of the map was freed
     * @throws DocaException with {@code INITIALIZATION} if the memory of the map is too small,
     *         {@code BAD_STATE} if the map is not started, {@code NOT_PERMITTED} if this pool
     *         already is; earlier versions of the vendor's library have {@code INVALID_VALUE} and
     *         {@code NOT_PERMITTED} in place of the first two
     */
    @Override
    public BufferPool start() {
        map.requireMemory();
        check(
                doca_h.doca_buf_pool_start(handle()),
                "doca_buf_pool_start",
                this,
                TOO_SMALL,
                "The memory map is too small: it needs at least capacity x"
                        + " element size, each rounded up to the alignment.");
        return this;
    }

    /** {@inheritDoc} Stands for {@code doca_buf_pool_stop}. */
    @Override
    public void stop() {
        check(
                doca_h.doca_buf_pool_stop(handle()),
                "doca_buf_pool_stop",
                this,
                DocaError.IN_USE,
                "Close its buffers first.");
    }

    /**
     * Allocates a buffer with an empty data section. Stands for {@code doca_buf_pool_buf_alloc}.
     *
     * @return the buffer
     * @throws IllegalStateException if the memory of the map was freed
     * @throws DocaException with {@code EMPTY} if all buffers are open, {@code BAD_STATE} if this
     *         pool is not started; earlier versions of the vendor's library have {@code NO_MEMORY}
     *         and {@code NOT_PERMITTED}
     */
    public Buffer buffer() {
        var pool = handle();
        map.requireMemory();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.ADDRESS);
            check(
                    doca_h.doca_buf_pool_buf_alloc(pool, result),
                    "doca_buf_pool_buf_alloc",
                    this,
                    ALL_OPEN,
                    "Close buffers that are no longer needed.");
            return new Buffer(result.get(ValueLayout.ADDRESS, 0), this, map);
        }
    }

    /**
     * Returns the size of each buffer.
     *
     * @return the size in bytes, at least 1
     */
    public long elementSize() {
        return elementSize;
    }

    /** {@inheritDoc} Stands for {@code doca_buf_pool_get_num_elements}. */
    @Override
    public int capacity() {
        var pool = handle();
        return number(result -> doca_h.doca_buf_pool_get_num_elements(pool, result));
    }

    /** {@inheritDoc} Stands for {@code doca_buf_pool_get_num_free_elements}. */
    @Override
    public int free() {
        var pool = handle();
        return number(result -> doca_h.doca_buf_pool_get_num_free_elements(pool, result));
    }

    /**
     * Returns the alignment of the buffers. Stands for {@code doca_buf_pool_get_element_alignment}.
     *
     * @return the alignment in bytes, a power of two; 1 by default
     */
    public long alignment() {
        var pool = handle();
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_LONG);
            check(
                    doca_h.doca_buf_pool_get_element_alignment(pool, result),
                    "doca_buf_pool_get_element_alignment",
                    this);
            return result.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /** {@inheritDoc} Stands for {@code doca_buf_pool_set_user_data}. */
    @Override
    public BufferPool setUserData(long data) {
        try (var arena = Arena.ofConfined()) {
            check(
                    doca_h.doca_buf_pool_set_user_data(handle(), union(arena, data)),
                    "doca_buf_pool_set_user_data",
                    this);
        }
        return this;
    }

    /** {@inheritDoc} Stands for {@code doca_buf_pool_get_user_data}. */
    @Override
    public long userData() {
        var pool = handle();
        return union(result -> doca_h.doca_buf_pool_get_user_data(pool, result));
    }

    @Override
    void destroy() {
        check(doca_h.doca_buf_pool_destroy(handle()), "doca_buf_pool_destroy", this);
    }

    @Override
    public String toString() {
        return "buffer pool of elements of " + elementSize + " bytes";
    }
}

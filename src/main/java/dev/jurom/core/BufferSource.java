// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_data;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.ToIntFunction;

/**
 * A source of buffers. It is configured while stopped and allocates buffers while started;
 * allocating a buffer then takes no native memory.
 *
 * <p>A source and its buffers may be used only by the thread that created the source. No method
 * blocks.
 */
public abstract sealed class BufferSource extends Handle permits BufferInventory, BufferPool {

    private final Thread owner = Thread.currentThread();
    private final MemorySegment handle;

    BufferSource(MemorySegment handle, Handle... dependencies) {
        super(dependencies);
        this.handle = handle;
    }

    /**
     * Starts this source, so that buffers can be allocated.
     *
     * @return this
     * @throws DocaException with {@code NOT_PERMITTED} if it is already started
     */
    public abstract BufferSource start();

    /**
     * Stops this source.
     *
     * @throws DocaException with {@code IN_USE} if it is a pool and buffers of it are open,
     *         {@code NOT_PERMITTED} if it is not started
     */
    public abstract void stop();

    /**
     * Returns the maximum number of open buffers.
     *
     * @return at least 1
     */
    public abstract int capacity();

    /**
     * Returns the number of buffers that can be allocated now.
     *
     * @return 0 to {@link #capacity()}
     */
    public abstract int free();

    /**
     * Attaches a number that the library stores for the caller.
     *
     * @param data any number
     * @return this
     * @throws DocaException if this source is started: with {@code NOT_PERMITTED} for an inventory,
     *         {@code BAD_STATE} for a pool
     */
    public abstract BufferSource setUserData(long data);

    /**
     * Returns the number that was attached with {@link #setUserData}.
     *
     * @return the number, 0 by default
     */
    public abstract long userData();

    /** Returns a number as a {@code union doca_data}. */
    static MemorySegment union(Arena arena, long data) {
        var union = doca_data.allocate(arena);
        doca_data.u64(union, data);
        return union;
    }

    /**
     * Returns the number that a function stores in a {@code union doca_data}. The function cannot
     * fail on an open object.
     */
    static long union(ToIntFunction<MemorySegment> call) {
        try (var arena = Arena.ofConfined()) {
            var result = doca_data.allocate(arena);
            call.applyAsInt(result);
            return doca_data.u64(result);
        }
    }

    /** Returns the native object. */
    final MemorySegment handle() {
        requireUsable();
        return handle;
    }

    /**
     * Returns the 32-bit number that a function stores. The function cannot fail on an open object.
     */
    static int number(ToIntFunction<MemorySegment> call) {
        try (var arena = Arena.ofConfined()) {
            var result = arena.allocate(ValueLayout.JAVA_INT);
            call.applyAsInt(result);
            return result.get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Override
    final void requireOwner() {
        if (Thread.currentThread() != owner) {
            throw new WrongThreadException(this + " belongs to thread " + owner.getName() + ", but was used by thread "
                    + Thread.currentThread().getName());
        }
    }
}

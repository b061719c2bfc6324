// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import dev.jurom.abi.doca.doca_data;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.ToIntFunction;

/**
 * What hands out buffers. It and its buffers belong to the thread that made it.
 *
 * <p>It is configured while stopped and hands out buffers while started; it then allocates no
 * native memory.
 */
public abstract sealed class BufferSource extends Handle permits BufferInventory, BufferPool {

    private final Thread owner = Thread.currentThread();
    private final MemorySegment handle;

    BufferSource(MemorySegment handle, Handle... dependencies) {
        super(dependencies);
        this.handle = handle;
    }

    /**
     * Starts handing out buffers.
     *
     * @return this
     * @throws DocaException with {@code NOT_PERMITTED} if it is started
     */
    public abstract BufferSource start();

    /**
     * Stops handing out buffers.
     *
     * @throws DocaException with {@code IN_USE} if buffers of it are open, {@code NOT_PERMITTED} if
     *         it is not started
     */
    public abstract void stop();

    /**
     * How many buffers can be open at a time.
     *
     * @return at least 1
     */
    public abstract int capacity();

    /**
     * How many buffers can be handed out now.
     *
     * @return 0 to {@link #capacity()}
     */
    public abstract int free();

    /**
     * Attaches a number that means something to the caller.
     *
     * @param data any number
     * @return this
     * @throws DocaException with {@code NOT_PERMITTED} if this is started
     */
    public abstract BufferSource setUserData(long data);

    /**
     * The number that was attached.
     *
     * @return 0 if none was
     */
    public abstract long userData();

    /** A number as C takes it. */
    static MemorySegment union(Arena arena, long data) {
        var union = doca_data.allocate(arena);
        doca_data.u64(union, data);
        return union;
    }

    /** Calls a function that gives the number, which cannot fail on an open object. */
    static long union(ToIntFunction<MemorySegment> call) {
        try (var arena = Arena.ofConfined()) {
            var result = doca_data.allocate(arena);
            call.applyAsInt(result);
            return doca_data.u64(result);
        }
    }

    /** The native object. */
    final MemorySegment handle() {
        requireUsable();
        return handle;
    }

    /** Calls a function that gives a 32-bit number, which cannot fail on an open object. */
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
            throw new WrongThreadException(this + " belongs to thread " + owner.getName() + "; it was used by thread "
                    + Thread.currentThread().getName());
        }
    }
}

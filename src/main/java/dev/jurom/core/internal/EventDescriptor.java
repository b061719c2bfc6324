// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import dev.jurom.abi.posix.posix_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A file descriptor that one thread makes readable to wake another, which waits for it with
 * {@link Poll}. Stands for {@code eventfd}. None of its calls blocks.
 */
public final class EventDescriptor implements AutoCloseable {

    private final int descriptor;
    private final MemorySegment count = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);

    /**
     * Makes one that is not readable.
     *
     * @throws IllegalStateException if the process has no descriptor left
     */
    public EventDescriptor() {
        descriptor = posix_h.eventfd(0, posix_h.EFD_CLOEXEC() | posix_h.EFD_NONBLOCK());
        if (descriptor < 0) {
            throw new IllegalStateException(
                    "No event descriptor could be made: raise the limit of open files (ulimit -n)");
        }
    }

    /**
     * The descriptor, to be waited for.
     *
     * @return a number that is good until this is closed
     */
    public int descriptor() {
        return descriptor;
    }

    /** Makes the descriptor readable. Any thread may do so. */
    public void signal() {
        posix_h.eventfd_write(descriptor, 1);
    }

    /** Makes the descriptor quiet again; for the thread that waits for it. */
    public void drain() {
        posix_h.eventfd_read(descriptor, count);
    }

    /** Gives the descriptor back. Nobody may wait for it or signal it any more. */
    @Override
    public void close() {
        posix_h.close(descriptor);
    }
}

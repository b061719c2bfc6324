// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import dev.jurom.abi.posix.pollfd;
import dev.jurom.abi.posix.posix_h;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/** Waits until one file descriptor is readable. Stands for {@code poll}. One thread at a time. */
public final class Poll {

    private static final int EINTR = 4;
    private static final long NANOS_PER_MILLISECOND = 1_000_000;

    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            CALL_STATE.varHandle(PathElement.groupElement("errno"));
    private static final MethodHandle POLL = Linker.nativeLinker().downcallHandle(
            posix_h.poll$address(), posix_h.poll$descriptor(), Linker.Option.captureCallState("errno"));

    private final MemorySegment descriptor;
    private final MemorySegment callState;

    /**
     * Makes a waiter.
     *
     * @param fileDescriptor what to wait for
     * @param arena whose memory to use
     */
    public Poll(int fileDescriptor, Arena arena) {
        callState = arena.allocate(CALL_STATE);
        descriptor = arena.allocate(pollfd.layout());
        pollfd.fd(descriptor, fileDescriptor);
        pollfd.events(descriptor, (short) posix_h.POLLIN());
    }

    /**
     * Waits.
     *
     * @param timeout how long at most; rounded up to milliseconds
     * @return whether the descriptor became readable
     * @throws IllegalStateException if it cannot be waited for
     */
    public boolean await(Duration timeout) {
        var deadline = System.nanoTime() + Timeout.nanos(timeout);
        while (true) {
            var remaining = Math.max(0, deadline - System.nanoTime());
            var milliseconds = (remaining + NANOS_PER_MILLISECOND - 1) / NANOS_PER_MILLISECOND;
            var ready = poll((int) Math.min(milliseconds, Integer.MAX_VALUE));
            if (ready > 0) {
                return true;
            }
            if (ready < 0 && (int) ERRNO.get(callState, 0L) != EINTR) {
                throw new IllegalStateException("File descriptor " + pollfd.fd(descriptor)
                        + " cannot be waited for: poll failed with errno "
                        + (int) ERRNO.get(callState, 0L));
            }
            if (remaining == 0) {
                return false;
            }
        }
    }

    private int poll(int milliseconds) {
        try {
            return (int) POLL.invokeExact(callState, descriptor, 1L, milliseconds);
        } catch (Throwable e) {
            throw new AssertionError("poll throws nothing", e);
        }
    }
}

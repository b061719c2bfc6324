// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import dev.jurom.abi.posix.pollfd;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.runtime.internal.CapturedErrno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.time.Duration;

/**
 * Waits until one of several file descriptors is readable. Stands for {@code poll}. Not
 * thread-safe.
 */
public final class Poll {

    private static final int EINTR = 4;
    private static final long NANOS_PER_MILLISECOND = 1_000_000;

    private static final MethodHandle POLL = CapturedErrno.capturing(posix_h.poll$address(), posix_h.poll$descriptor());

    private final MemorySegment descriptors;
    private final long count;
    private final MemorySegment callState;

    /**
     * Creates a waiter.
     *
     * @param arena the arena to allocate from
     * @param fileDescriptors the file descriptors to wait for
     */
    public Poll(Arena arena, int... fileDescriptors) {
        callState = arena.allocate(CapturedErrno.LAYOUT);
        count = fileDescriptors.length;
        descriptors = pollfd.allocateArray(count, arena);
        for (var i = 0; i < count; i++) {
            var descriptor = pollfd.asSlice(descriptors, i);
            pollfd.fd(descriptor, fileDescriptors[i]);
            pollfd.events(descriptor, (short) posix_h.POLLIN());
        }
    }

    /**
     * Waits until a file descriptor is readable. Blocks in native code for at most the timeout; not
     * interruptible: the interrupt status is preserved.
     *
     * @param timeout the maximum time to wait; rounded up to milliseconds
     * @return whether a file descriptor is readable
     * @throws IllegalStateException if {@code poll} fails
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
            if (ready < 0 && CapturedErrno.of(callState) != EINTR) {
                throw new IllegalStateException("Waiting for the notification handle failed: poll returned errno "
                        + CapturedErrno.of(callState));
            }
            if (remaining == 0) {
                return false;
            }
        }
    }

    private int poll(int milliseconds) {
        try {
            return (int) POLL.invokeExact(callState, descriptors, count, milliseconds);
        } catch (Throwable e) {
            throw SharedEngine.thrown(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import dev.jurom.abi.posix.pollfd;
import dev.jurom.abi.posix.posix_h;
import dev.jurom.linux.CallState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.time.Duration;

/** Waits until a file descriptor is readable. Stands for {@code poll}. One thread at a time. */
public final class Poll {

    private static final int EINTR = 4;
    private static final long NANOS_PER_MILLISECOND = 1_000_000;

    private static final MethodHandle POLL = CallState.capturing(posix_h.poll$address(), posix_h.poll$descriptor());

    private final MemorySegment descriptors;
    private final long count;
    private final MemorySegment callState;

    /**
     * Makes a waiter.
     *
     * @param arena whose memory to use
     * @param fileDescriptors what to wait for: any of them
     */
    public Poll(Arena arena, int... fileDescriptors) {
        callState = arena.allocate(CallState.LAYOUT);
        count = fileDescriptors.length;
        descriptors = pollfd.allocateArray(count, arena);
        for (var i = 0; i < count; i++) {
            var descriptor = pollfd.asSlice(descriptors, i);
            pollfd.fd(descriptor, fileDescriptors[i]);
            pollfd.events(descriptor, (short) posix_h.POLLIN());
        }
    }

    /**
     * Waits.
     *
     * @param timeout how long at most; rounded up to milliseconds
     * @return whether one became readable
     * @throws IllegalStateException if they cannot be waited for
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
            if (ready < 0 && CallState.of(callState) != EINTR) {
                throw new IllegalStateException("The notification handle cannot be waited for: poll"
                        + " failed with errno " + CallState.of(callState));
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
            throw new AssertionError("poll throws nothing", e);
        }
    }
}

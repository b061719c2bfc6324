// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Native memory for requests that are on their way, used again. UCX reads it until a request has
 * left. For one thread.
 */
final class SendBuffers implements AutoCloseable {

    private static final int HEADER_SIZE = 40; // that of the longest
    private static final long SMALLEST = 256;

    /**
     * Larger ones are freed rather than kept: a rare large request should not cost memory for good.
     */
    private static final long LARGEST_KEPT = 1 << 20;

    private final List<Buffer> all = new ArrayList<>();
    private final List<Buffer> free = new ArrayList<>();

    /** Room for one request's header and data. */
    static final class Buffer {

        private final Arena arena = Arena.ofConfined();
        private final MemorySegment header = arena.allocate(HEADER_SIZE, Long.BYTES);
        private final MemorySegment data;

        private Buffer(long size) {
            data = arena.allocate(size, Long.BYTES);
        }

        MemorySegment header() {
            return header;
        }

        /** At least as many bytes as were asked for. */
        MemorySegment data() {
            return data;
        }
    }

    /** How many are on their way. */
    int taken() {
        return all.size() - free.size();
    }

    Buffer take(long size) {
        for (var i = free.size() - 1; i >= 0; i--) {
            if (free.get(i).data.byteSize() >= size) {
                return free.remove(i);
            }
        }
        var buffer = new Buffer(roundUp(size));
        all.add(buffer);
        return buffer;
    }

    /** The next power of two, so that a few sizes serve all. */
    private static long roundUp(long size) {
        return size <= SMALLEST ? SMALLEST : Long.highestOneBit(size - 1) << 1;
    }

    void give(Buffer buffer) {
        if (buffer.data.byteSize() <= LARGEST_KEPT) {
            free.add(buffer);
        } else {
            all.remove(buffer);
            buffer.arena.close();
        }
    }

    /** Frees all; UCX must read none of them any more. */
    @Override
    public void close() {
        free.clear();
        while (!all.isEmpty()) {
            all.getLast().arena.close();
            all.removeLast();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A pool of native memory for requests in flight, which UCX reads until it has sent them. Not
 * thread-safe.
 */
final class SendBuffers implements AutoCloseable {

    private static final int HEADER_SIZE = 40; // the size of the longest header
    private static final long SMALLEST = 256;

    /**
     * The size of the largest buffer that is reused. Larger ones are freed, so that a rare large request
     * does not occupy memory permanently.
     */
    private static final long LARGEST_KEPT = 1 << 20;

    private final List<Buffer> all = new ArrayList<>();
    private final List<Buffer> free = new ArrayList<>();

    /** Memory for the header and the data of a request. */
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

        /** Returns the memory for the data, of at least the requested size. */
        MemorySegment data() {
            return data;
        }
    }

    /** Returns the number of buffers in use. */
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

    /** Returns the next power of two, which limits the number of different sizes. */
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

    /** Frees all buffers, which UCX must no longer read. */
    @Override
    public void close() {
        free.clear();
        while (!all.isEmpty()) {
            all.getLast().arena.close();
            all.removeLast();
        }
    }
}

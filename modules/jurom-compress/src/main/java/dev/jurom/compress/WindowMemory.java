// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.util.concurrent.atomic.AtomicLong;

/** The native memory that the input streams of a {@link Compression} use for windows of zstd. Thread-safe. */
final class WindowMemory {

    private final long limit;
    private final AtomicLong used = new AtomicLong();

    WindowMemory(long limit) {
        this.limit = limit;
    }

    void reserve(long bytes) throws CompressionException {
        var after = used.addAndGet(bytes);
        if (after > limit) {
            used.addAndGet(-bytes);
            throw LocalCodec.failure(
                    CompressionError.MEMORY,
                    "the windows of all open input streams would have " + after + " bytes, and the limit is " + limit
                            + ": close streams, or increase maxWindowMemory of the CompressionConfiguration");
        }
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
    }
}

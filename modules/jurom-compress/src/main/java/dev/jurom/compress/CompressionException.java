// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A block that could not be compressed or decompressed. */
public final class CompressionException extends IOException {

    private static final long serialVersionUID = 1;

    /** The kind of failure. */
    private final CompressionError error;
    /** The offset of the block. */
    private final long offset;
    /** The cause, as a sentence. */
    private final String detail;

    /** Creates an exception for a block at an offset, with details unless they are empty. */
    CompressionException(CompressionError error, long offset, String detail, @Nullable Throwable cause) {
        super("block at offset " + offset + ": " + error.text() + (detail.isEmpty() ? "" : ": " + detail), cause);
        this.error = error;
        this.offset = offset;
        this.detail = detail;
    }

    /** Returns this exception in the current thread, for a block at another offset. */
    CompressionException at(long newOffset) {
        return new CompressionException(error, newOffset, detail, this);
    }

    /**
     * Returns the kind of failure.
     *
     * @return the error
     */
    public CompressionError error() {
        return error;
    }

    /**
     * Returns the position of the block in its stream.
     *
     * @return the number of uncompressed bytes before the block; 0 for a block without a stream
     */
    public long offset() {
        return offset;
    }
}

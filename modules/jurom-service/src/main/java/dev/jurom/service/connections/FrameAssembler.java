// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.core.DocaError;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Assembles frames from the pieces in which they arrive, of any size. Unlike {@link FrameReader}, it does not
 * block. This class is not thread-safe.
 */
public final class FrameAssembler {

    private static final byte[] NOTHING = {};

    private final int maxLength;
    private byte[] bytes = NOTHING;
    private int from; // where the next frame begins

    /**
     * Creates an assembler without data.
     *
     * @param maxLength maximum number of bytes of a frame
     */
    public FrameAssembler(int maxLength) {
        this.maxLength = maxLength;
    }

    /**
     * Adds the bytes that arrived next.
     *
     * @param piece the bytes, which are copied
     */
    public void add(byte[] piece) {
        var left = bytes.length - from;
        var joined = Arrays.copyOfRange(bytes, from, bytes.length + piece.length);
        System.arraycopy(piece, 0, joined, left, piece.length);
        bytes = joined;
        from = 0;
    }

    /**
     * {@return the next frame, or empty if more bytes have to arrive first}
     *
     * @throws FrameException if the data is not a frame, or the frame is longer than {@code maxLength}
     */
    public Optional<Frame.Incoming> next() throws FrameException {
        var left = bytes.length - from;
        if (left < FrameDecoder.HEADER_SIZE) {
            return Optional.empty();
        }
        var length = FrameDecoder.length(Arrays.copyOfRange(bytes, from, from + FrameDecoder.HEADER_SIZE));
        if (length > maxLength) {
            throw new FrameException(
                    DocaError.TOO_BIG,
                    "the frame has " + length + " bytes and at most " + maxLength + " are allowed here");
        }
        if (left < length) {
            return Optional.empty();
        }
        var frame = FrameDecoder.decode(Arrays.copyOfRange(bytes, from, from + length));
        from += length;
        if (from == bytes.length) {
            bytes = NOTHING;
            from = 0;
        }
        return Optional.of(frame);
    }

    /** {@return whether part of a frame has arrived} */
    public boolean isPartial() {
        return from < bytes.length;
    }
}

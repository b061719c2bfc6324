// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.core.DocaError;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameException;
import dev.jurom.service.wire.Release;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;

/**
 * Reads frames from one peer. Takes as much memory as the peer announces, within the limit that the
 * caller gives. A frame that has begun must be whole in time. For one thread.
 */
public final class FrameReader {

    /** A header that was read, whose body was not; it may be nonsense. */
    public record Header(byte[] bytes) {

        public long requestId() {
            return FrameDecoder.requestId(bytes);
        }

        /** Whether the peer speaks another version of the protocol. */
        public boolean isForeign() {
            return Release.isForeign(bytes);
        }

        public byte version() {
            return bytes[2];
        }

        /** Bytes of the whole frame. */
        public int length() throws FrameException {
            return FrameDecoder.length(bytes, FrameDecoder.CONTROL_MAX);
        }
    }

    private final InputStream input;
    private final Timers timers;
    private final Duration deadline;
    private final Runnable late;

    /**
     * Reads from a stream.
     *
     * @param late what is done when a frame is not whole within the deadline: to close the stream
     */
    public FrameReader(InputStream input, Timers timers, Duration deadline, Runnable late) {
        this.input = input;
        this.timers = timers;
        this.deadline = deadline;
        this.late = late;
    }

    /**
     * Waits for the next frame to begin.
     *
     * @throws EOFException if the peer has ended
     */
    public Header header() throws IOException {
        var header = new byte[FrameDecoder.HEADER_SIZE];
        var first = input.read(header, 0, header.length);
        if (first < 0) {
            throw new EOFException("it has ended the connection");
        }
        var timer = timers.after(deadline, late);
        try {
            requireWhole(first + input.readNBytes(header, first, header.length - first), header.length);
        } finally {
            timer.cancel();
        }
        return new Header(header);
    }

    /** Reads the body of a frame, if it is not longer than it may be here. */
    public Frame body(Header header, int maxLength) throws IOException, FrameException {
        return FrameDecoder.decode(whole(header, maxLength), FrameDecoder.CONTROL_MAX);
    }

    /** Reads the body of a frame, if it is not longer than it may be here, and decodes nothing. */
    public byte[] whole(Header header, int maxLength) throws IOException, FrameException {
        var length = header.length();
        if (length > maxLength) {
            throw new FrameException(
                    DocaError.TOO_BIG,
                    "the frame has " + length + " bytes and at most " + maxLength + " are allowed here");
        }
        var timer = timers.after(deadline, late);
        try {
            var from = header.bytes.length;
            var frame = Arrays.copyOf(header.bytes, length);
            requireWhole(from + input.readNBytes(frame, from, length - from), length);
            return frame;
        } finally {
            timer.cancel();
        }
    }

    /** Reads what a peer of another version says of itself; the rest of its frame is left. */
    public byte[] beginning(Header header) throws IOException {
        var announced =
                ByteBuffer.wrap(header.bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
        var more = Release.BEGINNING - header.bytes.length;
        var timer = timers.after(deadline, late);
        try {
            var body = input.readNBytes(announced < 0 ? more : Math.min(announced, more));
            var beginning = Arrays.copyOf(header.bytes, header.bytes.length + body.length);
            System.arraycopy(body, 0, beginning, header.bytes.length, body.length);
            return beginning;
        } finally {
            timer.cancel();
        }
    }

    /** Reads and drops the body of a frame. */
    public void skip(Header header) throws IOException, FrameException {
        var timer = timers.after(deadline, late);
        try {
            input.skipNBytes(header.length() - header.bytes.length);
        } finally {
            timer.cancel();
        }
    }

    private static void requireWhole(int read, int length) throws EOFException {
        if (read < length) {
            throw new EOFException("it has ended in the middle of a frame");
        }
    }
}

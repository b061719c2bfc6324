// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.core.DocaError;
import dev.jurom.service.threads.Timers;
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
 * Reads frames from one peer. Allocates as much memory as the peer announces, up to the caller's limit. A frame
 * that has begun must be complete within the deadline. This class is not thread-safe.
 */
public final class FrameReader {

    /**
     * A header that was read before its body; it may be invalid.
     *
     * @param bytes its {@link FrameDecoder#HEADER_SIZE} bytes, which are not copied
     */
    public record Header(byte[] bytes) {

        /** {@return the number of the request, which an answer repeats} */
        public long requestId() {
            return FrameDecoder.requestId(bytes);
        }

        /** {@return whether the peer uses another version of the protocol} */
        public boolean isForeign() {
            return Release.isForeign(bytes);
        }

        /** {@return the version of the protocol that the header states, whether or not this service supports it} */
        public byte version() {
            return bytes[2];
        }

        /**
         * {@return the number of bytes of the whole frame, including the header}
         *
         * @throws FrameException if the header is invalid
         */
        public int length() throws FrameException {
            return FrameDecoder.length(bytes);
        }
    }

    private final InputStream input;
    private final Timers timers;
    private final Duration deadline;
    private final Runnable late;

    /**
     * Creates a reader of a stream.
     *
     * @param input the data from the peer
     * @param timers runs {@code late}
     * @param deadline maximum time for the rest of a frame that has begun
     * @param late closes the stream; called when a frame is not complete within the deadline
     */
    public FrameReader(InputStream input, Timers timers, Duration deadline, Runnable late) {
        this.input = input;
        this.timers = timers;
        this.deadline = deadline;
        this.late = late;
    }

    /**
     * Blocks until the next frame begins.
     *
     * @return the header of that frame
     * @throws EOFException if the peer has closed the connection
     * @throws IOException if the stream fails or ends within the header, or {@code late} has closed it
     */
    public Header header() throws IOException {
        var header = new byte[FrameDecoder.HEADER_SIZE];
        var first = input.read(header, 0, header.length);
        if (first < 0) {
            throw new EOFException("it has closed the connection");
        }
        var timer = timers.after(deadline, late);
        try {
            requireWhole(first + input.readNBytes(header, first, header.length - first), header.length);
        } finally {
            timer.cancel();
        }
        return new Header(header);
    }

    /**
     * Reads and decodes the body of a frame. Blocks until it is complete, or the deadline expires.
     *
     * @param header the header, which was read last
     * @param maxLength maximum number of bytes of the frame, including the header
     * @return the frame
     * @throws IOException if the stream fails or ends within the body, or {@code late} has closed it
     * @throws FrameException if the frame is invalid or longer than {@code maxLength}
     */
    public Frame.Incoming body(Header header, int maxLength) throws IOException, FrameException {
        return FrameDecoder.decode(whole(header, maxLength));
    }

    /**
     * Reads the body of a frame without decoding it. Blocks until it is complete, or the deadline expires.
     *
     * @param header the header, which was read last
     * @param maxLength maximum number of bytes of the frame, including the header
     * @return the bytes of the frame, including the header
     * @throws IOException if the stream fails or ends within the body, or {@code late} has closed it
     * @throws FrameException if the header is invalid, or the frame is longer than {@code maxLength}
     */
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

    /**
     * Reads the part of a HELLO that is the same in all versions, and leaves the rest of the frame unread.
     *
     * @param header the header, which was read last
     * @return the header and that part, which is shorter if the frame or the stream ends before
     * @throws IOException if the stream fails, or {@code late} has closed it
     */
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

    /**
     * Reads and discards the body of a frame.
     *
     * @param header the header, which was read last
     * @throws IOException if the stream fails or ends within the body, or {@code late} has closed it
     * @throws FrameException if the header is invalid
     */
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
            throw new EOFException("it has closed the connection in the middle of a frame");
        }
    }
}

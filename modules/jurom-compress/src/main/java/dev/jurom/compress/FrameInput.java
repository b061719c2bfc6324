// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The buffered bytes of a source, which can be examined before they are consumed. It reads no more than it needs, or
 * than the source has available: a source may block behind each byte. An exception of the source loses no byte. Not
 * thread-safe.
 */
final class FrameInput {

    private static final int FIRST_SIZE = 64 << 10;

    private final @Nullable InputStream in; // null: all bytes are in the buffer
    private byte[] buffer;
    private int start;
    private int end;
    private boolean waiting = true;
    private boolean ended;

    FrameInput(InputStream in) {
        this.in = in;
        this.buffer = new byte[FIRST_SIZE];
    }

    /** Creates an input of the bytes of an array, which is not changed. */
    FrameInput(byte[] bytes, int offset, int length) {
        this.in = null;
        this.buffer = bytes;
        this.start = offset;
        this.end = offset + length;
        this.ended = true;
    }

    /** Sets whether to wait for bytes of the source that are not available. */
    void setWaiting(boolean newWaiting) {
        waiting = newWaiting;
    }

    /**
     * Reads until this many bytes can be examined. Returns false if fewer are available without waiting, or before the
     * end.
     */
    boolean require(int count) throws IOException {
        return require(count, count);
    }

    /**
     * Reads until a number of bytes can be examined, and up to the wanted number if the source returns them at once.
     */
    boolean require(int count, int wanted) throws IOException {
        while (end - start < count && !ended) {
            var available = available();
            // A source that does not know the number returns 1, as java.util.zip.InflaterInputStream does.
            if (!waiting && (available <= 1 || available < count - (end - start))) {
                return false;
            }
            reserve(count);
            fill(waiting ? Math.max(available, wanted - (end - start)) : available);
        }
        return end - start >= count;
    }

    private int available() {
        try {
            return in == null ? 0 : in.available();
        } catch (IOException e) {
            return 0; // the next read reports it
        }
    }

    private void reserve(int count) {
        if (count <= buffer.length - start) {
            return;
        }
        var bytes = Arrays.copyOfRange(buffer, start, end);
        if (count > buffer.length) {
            buffer = new byte[Math.max(count, 2 * buffer.length)];
        }
        System.arraycopy(bytes, 0, buffer, 0, bytes.length);
        start = 0;
        end = bytes.length;
    }

    private void fill(int wanted) throws IOException {
        if (in == null) {
            return;
        }
        var room = Math.min(wanted, buffer.length - end);
        var read = in.read(buffer, end, room);
        if (read == 0) { // some sources violate their contract
            var value = in.read();
            read = value < 0 ? -1 : 1;
            buffer[end] = (byte) value;
        }
        if (read < -1 || read > room) {
            throw new IOException("the source returned " + read + " for a read of " + room + " bytes");
        }
        ended = read < 0;
        end += Math.max(read, 0);
    }

    /** Returns whether the source has ended. Bytes may still be buffered. */
    boolean hasEnded() {
        return ended;
    }

    /** Returns the number of bytes that can be examined now. */
    int buffered() {
        return end - start;
    }

    /** Returns the array that contains the buffered bytes from {@link #position} on, until the next read. */
    byte[] array() {
        return buffer;
    }

    int position() {
        return start;
    }

    int u8(int offset) {
        return Byte.toUnsignedInt(buffer[start + offset]);
    }

    int u16(int offset) {
        return u8(offset) | u8(offset + 1) << 8;
    }

    int u24(int offset) {
        return u16(offset) | u8(offset + 2) << 16;
    }

    int i32(int offset) {
        return u24(offset) | u8(offset + 3) << 24;
    }

    long u32(int offset) {
        return Integer.toUnsignedLong(i32(offset));
    }

    long i64(int offset) {
        return u32(offset) | (long) i32(offset + 4) << 32;
    }

    /** Copies examined bytes, and consumes them. */
    void take(byte[] to, int offset, int count) {
        System.arraycopy(buffer, start, to, offset, count);
        start += count;
    }

    /** Consumes examined bytes. */
    void consume(int count) {
        start += count;
    }
}

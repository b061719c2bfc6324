// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A stream whose next bytes can be examined before they are read. Not thread-safe. */
final class FrameInput extends InputStream {

    private static final int FIRST_SIZE = 64 << 10;

    private final @Nullable InputStream in; // null: all bytes are in the buffer
    private byte[] buffer;
    private int start;
    private int end;

    FrameInput(InputStream in) {
        this.in = in;
        this.buffer = new byte[FIRST_SIZE];
    }

    /** Creates a stream of the bytes of an array, which is not changed. */
    FrameInput(byte[] bytes, int offset, int length) {
        this.in = null;
        this.buffer = bytes;
        this.start = offset;
        this.end = offset + length;
    }

    /** Reads until this many bytes can be examined. Returns false if the stream ends earlier. */
    boolean require(int count) throws IOException {
        if (end - start >= count || in == null) {
            return end - start >= count;
        }
        if (count > buffer.length - start) {
            reserve(count);
        }
        var read = 0;
        while (end - start < count && read >= 0) {
            read = in.read(buffer, end, buffer.length - end);
            end += Math.max(read, 0);
        }
        return end - start >= count;
    }

    private void reserve(int count) {
        var bytes = Arrays.copyOfRange(buffer, start, end);
        if (count > buffer.length) {
            buffer = new byte[Math.max(count, 2 * buffer.length)];
        }
        System.arraycopy(bytes, 0, buffer, 0, bytes.length);
        start = 0;
        end = bytes.length;
    }

    /** Returns whether bytes can be read without blocking. */
    boolean isReady() throws IOException {
        return end > start || in != null && in.available() > 0;
    }

    int u8(int offset) {
        return Byte.toUnsignedInt(buffer[start + offset]);
    }

    int u24(int offset) {
        return u8(offset) | u8(offset + 1) << 8 | u8(offset + 2) << 16;
    }

    int i32(int offset) {
        return u24(offset) | u8(offset + 3) << 24;
    }

    long i64(int offset) {
        return Integer.toUnsignedLong(i32(offset)) | (long) i32(offset + 4) << 32;
    }

    /** Copies examined bytes, and moves behind them. */
    void take(byte[] to, int count) {
        System.arraycopy(buffer, start, to, 0, count);
        start += count;
    }

    /** Moves behind examined bytes. */
    void consume(int count) {
        start += count;
    }

    /** Returns the bytes that can be examined now. */
    ByteBuffer examined() {
        return ByteBuffer.wrap(buffer, start, end - start);
    }

    @Override
    public int read() throws IOException {
        if (!require(1)) {
            return -1;
        }
        var value = u8(0);
        start++;
        return value;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!require(1)) {
            return -1;
        }
        var count = Math.min(length, end - start);
        System.arraycopy(buffer, start, to, offset, count);
        start += count;
        return count;
    }

    @Override
    public int available() {
        return end - start;
    }

    @Override
    public void close() throws IOException {
        if (in != null) {
            in.close();
        }
    }
}

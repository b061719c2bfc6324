// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.IOException;

/**
 * Finds the end of a frame without decoding it. The bytes remain in the input until the caller takes them.
 * Lengths are claims of the input: decompression verifies them.
 */
abstract sealed class FrameScanner {

    private static final int SKIPPABLE = 0x184D2A50; // of zstd and LZ4; the last 4 bits have any value
    private static final int SKIPPABLE_MASK = 0xFFFFFFF0;

    /** The result of a scan. */
    enum Result {
        /** The whole frame can be examined, and its header states the length of its content. */
        COMPLETE,
        /** A frame that is longer than the limit, or does not state its length or that of its content. */
        FOREIGN,
        /** There is no further frame. */
        END
    }

    final FrameInput in;
    int length;
    long content;

    private FrameScanner(FrameInput in) {
        this.in = in;
    }

    static FrameScanner of(CompressionFormat format, FrameInput in) {
        return switch (format) {
            case ZSTD -> new OfZstd(in);
            case LZ4 -> new OfLz4(in);
            case GZIP -> new OfGzip(in);
            case ZLIB, DEFLATE ->
                throw new IllegalArgumentException(format + " cannot be concatenated: use ZSTD, LZ4 or GZIP");
        };
    }

    /** Scans the next frame, of at most this length. */
    final Result scan(long limit) throws IOException {
        skip();
        if (!in.require(1)) {
            return Result.END;
        }
        length = 0;
        content = -1;
        return scanFrame(limit) && content >= 0 ? Result.COMPLETE : Result.FOREIGN;
    }

    /** Returns the length of a complete frame in bytes. */
    final int length() {
        return length;
    }

    /** Returns the length of the content that a complete frame states. */
    final long content() {
        return content;
    }

    /** Scans a frame. Returns false if it does not end within the limit. */
    abstract boolean scanFrame(long limit) throws IOException;

    /** Skips what is no frame but may be between frames. */
    void skip() throws IOException {
        while (in.require(8) && (in.i32(0) & SKIPPABLE_MASK) == SKIPPABLE) {
            in.skipNBytes(8 + Integer.toUnsignedLong(in.i32(4)));
        }
    }

    /** Requires that the frame has this many bytes. */
    final void require(int count) throws IOException {
        if (!in.require(count)) {
            throw LocalCodec.failure(CompressionError.TRUNCATED, "");
        }
    }

    final void requireMagic(int magic) throws IOException {
        require(Integer.BYTES);
        if (in.i32(0) != magic) {
            throw LocalCodec.failure(CompressionError.CORRUPT, "no frame begins here");
        }
    }

    private static final class OfZstd extends FrameScanner {

        private static final int MAGIC = 0xFD2FB528;
        private static final int BLOCK_HEADER = 3;
        private static final int RLE = 1; // a block that is one byte

        private OfZstd(FrameInput in) {
            super(in);
        }

        @Override
        boolean scanFrame(long limit) throws IOException {
            requireMagic(MAGIC);
            require(5);
            var descriptor = in.u8(4);
            var single = (descriptor >> 5 & 1) == 1;
            var dictionary = new int[] {0, 1, 2, 4}[descriptor & 3];
            var size = new int[] {single ? 1 : 0, 2, 4, 8}[descriptor >> 6];
            var at = 5 + (single ? 0 : 1) + dictionary;
            require(at + size);
            content = switch (size) {
                case 0 -> -1;
                case 1 -> in.u8(at);
                case 2 -> (in.u8(at) | in.u8(at + 1) << 8) + 256;
                case 4 -> Integer.toUnsignedLong(in.i32(at));
                default -> in.i64(at);
            };
            long end = at + size;
            var last = false;
            while (!last) {
                if (end + BLOCK_HEADER > limit) {
                    return false;
                }
                require((int) end + BLOCK_HEADER);
                var header = in.u24((int) end);
                last = (header & 1) == 1;
                end += BLOCK_HEADER + ((header >> 1 & 3) == RLE ? 1 : header >> 3);
            }
            end += (descriptor >> 2 & 1) * Integer.BYTES;
            if (end > limit) {
                return false;
            }
            require((int) end);
            length = (int) end;
            return true;
        }
    }

    private static final class OfLz4 extends FrameScanner {

        private static final int MAGIC = 0x184D2204;
        private static final int UNCOMPRESSED = 1 << 31; // a bit of the length of a block

        private OfLz4(FrameInput in) {
            super(in);
        }

        @Override
        boolean scanFrame(long limit) throws IOException {
            requireMagic(MAGIC);
            require(7);
            var flags = in.u8(4);
            var hasContent = (flags >> 3 & 1) == 1;
            var at = 6;
            if (hasContent) {
                require(at + Long.BYTES);
                content = in.i64(at);
                at += Long.BYTES;
            }
            long end = at + (flags & 1) * Integer.BYTES + 1;
            var blockChecksum = (flags >> 4 & 1) * Integer.BYTES;
            int block;
            do {
                if (end + Integer.BYTES > limit) {
                    return false;
                }
                require((int) end + Integer.BYTES);
                block = in.i32((int) end) & ~UNCOMPRESSED;
                end += Integer.BYTES + block + (block == 0 ? 0 : blockChecksum);
            } while (block != 0);
            end += (flags >> 2 & 1) * Integer.BYTES;
            if (end > limit) {
                return false;
            }
            require((int) end);
            length = (int) end;
            return true;
        }
    }

    private static final class OfGzip extends FrameScanner {

        private static final int EXTRA = 4; // the only flag
        private static final int FIELD_LENGTH = 8;
        private static final int FIELD = 'J' | 'U' << 8 | 4 << 16;

        private OfGzip(FrameInput in) {
            super(in);
        }

        @Override
        boolean scanFrame(long limit) throws IOException {
            gzipHeader(in);
            if (in.u8(3) != EXTRA || in.u8(10) != FIELD_LENGTH || in.u8(11) != 0 || in.i32(12) != FIELD) {
                return false;
            }
            var whole = Integer.toUnsignedLong(in.i32(16));
            if (whole < LocalCodec.GZIP_HEADER_SIZE + LocalCodec.GZIP_TRAILER_SIZE || whole > limit) {
                return false;
            }
            require((int) whole);
            length = (int) whole;
            content = Integer.toUnsignedLong(in.i32(length - Integer.BYTES));
            return true;
        }

        /** Skips zeros, with which archives are padded. */
        @Override
        void skip() throws IOException {
            while (in.require(1) && in.u8(0) == 0) {
                in.consume(1);
            }
        }
    }

    private static final int GZIP_FIXED = 10; // bytes of a header without optional fields
    private static final int GZIP_MAGIC = 0x088B1F; // with the method, DEFLATE
    private static final int GZIP_RESERVED = 0xE0; // flags

    /** Returns the length of the header of a gzip member. */
    static int gzipHeader(FrameInput in) throws IOException {
        if (!in.require(GZIP_FIXED)) {
            throw LocalCodec.failure(CompressionError.TRUNCATED, "");
        }
        var flags = in.u8(3);
        if (in.u24(0) != GZIP_MAGIC || (flags & GZIP_RESERVED) != 0) {
            throw LocalCodec.failure(CompressionError.CORRUPT, "no frame begins here");
        }
        var length = GZIP_FIXED;
        if ((flags & 4) != 0) { // extra field
            length = gzipField(in, length + 2);
            length = gzipField(in, length + (in.u8(length - 2) | in.u8(length - 1) << 8));
        }
        for (var text = 8; text <= 16; text *= 2) { // name, comment
            if ((flags & text) != 0) {
                do {
                    length = gzipField(in, length + 1);
                } while (in.u8(length - 1) != 0);
            }
        }
        return (flags & 2) != 0 ? gzipField(in, length + 2) : length; // checksum of the header
    }

    private static int gzipField(FrameInput in, int length) throws IOException {
        if (length > 1 << 20) {
            throw LocalCodec.failure(CompressionError.CORRUPT, "the header is longer than 1 MiB");
        }
        if (!in.require(length)) {
            throw LocalCodec.failure(CompressionError.TRUNCATED, "");
        }
        return length;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.IOException;
import java.util.zip.CRC32;

/**
 * Finds the end of a frame without decoding it. The bytes remain in the input until the caller takes them.
 * Lengths are claims of the input: decompression verifies them.
 */
abstract sealed class FrameScanner {

    private static final int SKIPPABLE = 0x184D2A50; // of zstd and LZ4; the last 4 bits have any value
    private static final int SKIPPABLE_MASK = 0xFFFFFFF0;
    private static final int SKIPPABLE_HEADER = 8;

    /** The result of a scan. */
    enum Result {
        /** The whole frame can be examined, and its header states the length of its content. */
        COMPLETE,
        /** A frame that is longer than the limit, or does not state its length or that of its content. */
        FOREIGN,
        /** The source has no further bytes available, and the input does not wait. */
        PENDING,
        /** There is no further frame. */
        END
    }

    final FrameInput in;
    int length;
    long content;
    private long skipped; // bytes that are left of a skippable frame

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

    /** Scans the next frame, whose content shall have at most this length. Can be repeated after an exception. */
    final Result scan(long maxContent) throws IOException {
        try {
            skip();
            if (!in.require(1)) {
                return in.hasEnded() ? Result.END : Result.PENDING;
            }
            return scanFrame(maxContent, CompressionFormat.maxCompressedSize(maxContent))
                    ? Result.COMPLETE
                    : Result.FOREIGN;
        } catch (CompressionException e) {
            if (e.error() == CompressionError.TRUNCATED && !in.hasEnded()) {
                return Result.PENDING;
            }
            throw e;
        }
    }

    /** Returns the length of a complete frame in bytes. */
    final int length() {
        return length;
    }

    /** Returns the length of the content that a complete frame states. */
    final long content() {
        return content;
    }

    /** Scans a frame. Returns false if it or its content does not end within the limits or states no length. */
    abstract boolean scanFrame(long maxContent, long limit) throws IOException;

    /** Skips bytes that are not a frame but may be between frames. */
    void skip() throws IOException {
        while (skipped > 0 || beginsSkippable()) {
            while (skipped > 0) {
                require(in, 1);
                var part = (int) Math.min(skipped, in.buffered());
                in.consume(part);
                skipped -= part;
            }
        }
    }

    private boolean beginsSkippable() throws IOException {
        if (!in.require(Integer.BYTES) || (in.i32(0) & SKIPPABLE_MASK) != SKIPPABLE) {
            return false;
        }
        require(in, SKIPPABLE_HEADER);
        skipped = in.u32(Integer.BYTES);
        in.consume(SKIPPABLE_HEADER);
        return true;
    }

    /** Requires that the frame has this many bytes. */
    static void require(FrameInput in, int count) throws IOException {
        if (!in.require(count)) {
            throw LocalCodec.failure(CompressionError.TRUNCATED, "");
        }
    }

    static CompressionException noFrame() {
        return LocalCodec.failure(CompressionError.CORRUPT, "no frame begins here");
    }

    /** The header of a zstd frame. Content: -1 if it is not stated. */
    record ZstdHeader(int length, long window, long content, boolean hasChecksum) {

        private static final int MAGIC = 0xFD2FB528;
        private static final int OLD_MAGIC = 0xFD2FB520; // of zstd before 0.8; the last 3 bits have any value
        private static final int OLD_MASK = 0xFFFFFFF8;
        private static final int FIRST_MAGIC = 0xFD2FB51E; // of zstd 0.1

        static ZstdHeader of(FrameInput in) throws IOException {
            require(in, Integer.BYTES);
            if ((in.i32(0) & OLD_MASK) == OLD_MAGIC || in.i32(0) == FIRST_MAGIC) {
                throw LocalCodec.failure(
                        CompressionError.UNKNOWN_FORMAT,
                        "a frame of zstd before 0.8: compress the content with a later version");
            }
            if (in.i32(0) != MAGIC) {
                throw noFrame();
            }
            require(in, 5);
            var descriptor = in.u8(4);
            var single = (descriptor >> 5 & 1) == 1;
            var dictionary = new int[] {0, 1, 2, 4}[descriptor & 3];
            var size = new int[] {single ? 1 : 0, 2, 4, 8}[descriptor >> 6];
            var at = 5 + (single ? 0 : 1) + dictionary;
            require(in, at + size);
            var content = switch (size) {
                case 0 -> -1;
                case 1 -> in.u8(at);
                case 2 -> in.u16(at) + 256;
                case 4 -> in.u32(at);
                default -> in.i64(at) < 0 ? Long.MAX_VALUE : in.i64(at); // unsigned
            };
            return new ZstdHeader(at + size, single ? content : window(in.u8(5)), content, (descriptor >> 2 & 1) == 1);
        }

        private static long window(int descriptor) {
            var base = 1L << 10 + (descriptor >> 3);
            return base + base / 8 * (descriptor & 7);
        }
    }

    /** Returns the length of a zstd block by its header, including the header. */
    static int zstdBlock(int header) throws CompressionException {
        return switch (header >> 1 & 3) {
            case 1 -> ZSTD_BLOCK_HEADER + 1; // one byte, repeated
            case 3 -> throw LocalCodec.failure(CompressionError.CORRUPT, "a block of a reserved type");
            default -> ZSTD_BLOCK_HEADER + (header >> 3);
        };
    }

    static final int ZSTD_BLOCK_HEADER = 3;

    private static final class OfZstd extends FrameScanner {

        private OfZstd(FrameInput in) {
            super(in);
        }

        @Override
        boolean scanFrame(long maxContent, long limit) throws IOException {
            var header = ZstdHeader.of(in);
            content = header.content();
            if (content < 0 || content > maxContent) {
                return false;
            }
            return scanBlocks(header, limit);
        }

        private boolean scanBlocks(ZstdHeader header, long limit) throws IOException {
            long end = header.length();
            var last = false;
            while (!last) {
                if (end + ZSTD_BLOCK_HEADER > limit) {
                    return false;
                }
                require(in, (int) end + ZSTD_BLOCK_HEADER);
                var block = in.u24((int) end);
                last = (block & 1) == 1;
                end += zstdBlock(block);
            }
            end += header.hasChecksum() ? Integer.BYTES : 0;
            if (end > limit) {
                return false;
            }
            require(in, (int) end);
            length = (int) end;
            return true;
        }
    }

    /** Returns the length of the zstd frame that begins an input with all of its bytes. */
    static int zstdFrame(FrameInput in) throws IOException {
        var scanner = new OfZstd(in);
        if (!scanner.scanBlocks(ZstdHeader.of(in), in.buffered())) {
            throw LocalCodec.failure(CompressionError.TRUNCATED, "");
        }
        return scanner.length;
    }

    private static final class OfLz4 extends FrameScanner {

        private OfLz4(FrameInput in) {
            super(in);
        }

        @Override
        boolean scanFrame(long maxContent, long limit) throws IOException {
            var header = Lz4.Header.of(in);
            content = header.content();
            if (content < 0 || content > maxContent) {
                return false;
            }
            long end = header.length();
            int block;
            do {
                if (end + Integer.BYTES > limit) {
                    return false;
                }
                require(in, (int) end + Integer.BYTES);
                block = in.i32((int) end);
                end += header.blockLength(block);
            } while (block != 0);
            if (end > limit) {
                return false;
            }
            require(in, (int) end);
            length = (int) end;
            return true;
        }
    }

    private static final class OfGzip extends FrameScanner {

        private static final int EXTRA = 4; // the only flag
        private static final int FIELD_LENGTH = 8;
        private static final int FIELD = 'J' | 'U' << 8 | 4 << 16;

        private boolean any; // a member was scanned

        private OfGzip(FrameInput in) {
            super(in);
        }

        @Override
        boolean scanFrame(long maxContent, long limit) throws IOException {
            gzipHeader(in);
            any = true;
            if (in.u8(3) != EXTRA || in.u16(10) != FIELD_LENGTH || in.i32(12) != FIELD) {
                return false;
            }
            var whole = in.u32(16);
            if (whole < LocalCodec.GZIP_HEADER_SIZE + LocalCodec.GZIP_TRAILER_SIZE || whole > limit) {
                return false;
            }
            require(in, (int) whole);
            length = (int) whole;
            content = in.u32(length - Integer.BYTES);
            return content <= maxContent;
        }

        /**
         * Skips zeros, with which archives are padded, and line ends behind a member. Other bytes are an error, unlike
         * in gzip: a member with a damaged header must not end the stream.
         */
        @Override
        void skip() throws IOException {
            while (any && in.require(1) && isPadding(in.u8(0))) {
                in.consume(1);
            }
        }

        private static boolean isPadding(int value) {
            return value == 0 || value == '\n' || value == '\r';
        }
    }

    private static final int GZIP_FIXED = 10; // bytes of a header without optional fields
    private static final int GZIP_MAGIC = 0x088B1F; // with the method, DEFLATE
    private static final int GZIP_RESERVED = 0xE0; // flags

    /** Returns the length of the header of a gzip member. */
    static int gzipHeader(FrameInput in) throws IOException {
        require(in, GZIP_FIXED);
        var flags = in.u8(3);
        if (in.u24(0) != GZIP_MAGIC || (flags & GZIP_RESERVED) != 0) {
            throw noFrame();
        }
        var length = GZIP_FIXED;
        if ((flags & 4) != 0) { // extra field
            length = gzipField(in, length + 2);
            length = gzipField(in, length + in.u16(length - 2));
        }
        for (var text = 8; text <= 16; text *= 2) { // name, comment
            if ((flags & text) != 0) {
                do {
                    length = gzipField(in, length + 1);
                } while (in.u8(length - 1) != 0);
            }
        }
        if ((flags & 2) == 0) {
            return length;
        }
        var checksum = new CRC32();
        checksum.update(in.array(), in.position(), length);
        length = gzipField(in, length + 2);
        if (in.u16(length - 2) != (checksum.getValue() & 0xFFFF)) {
            throw LocalCodec.failure(CompressionError.CORRUPT, "the checksum of the header is wrong");
        }
        return length;
    }

    private static int gzipField(FrameInput in, int length) throws IOException {
        if (length > 1 << 20) {
            throw LocalCodec.failure(CompressionError.CORRUPT, "the header is longer than 1 MiB");
        }
        require(in, length);
        return length;
    }
}

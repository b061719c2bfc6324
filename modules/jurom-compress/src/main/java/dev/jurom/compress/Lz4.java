// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.io.IOException;

/**
 * Decoding of LZ4 frames. A block may refer to the last 64 KiB of the blocks before it. Nothing outside of the given
 * ranges is read or written, for any content of a block.
 */
final class Lz4 {

    /** The number of bytes before a block to which it may refer. */
    static final int WINDOW = 64 << 10;

    /** A bit of the length of a block. */
    static final int UNCOMPRESSED = 1 << 31;

    private static final int MAX_SHORT = 15; // a length that further bytes continue
    private static final int MIN_MATCH = 4;
    private static final int LAST_LITERALS = 5; // at least, at the end of a block with matches
    private static final int LAST_MATCH = 12; // the last match begins at least so far before the end
    private static final int SHORT_COPY = 16; // bytes up to which a loop is faster than a call

    private Lz4() {}

    /** The header of a frame. Content: -1 if it is not stated. */
    record Header(
            int length, boolean linked, boolean blockChecksum, boolean contentChecksum, long content, int maxBlock) {

        private static final int MAGIC = 0x184D2204;
        private static final int LEGACY_MAGIC = 0x184C2102;

        static Header of(FrameInput in) throws IOException {
            FrameScanner.require(in, Integer.BYTES);
            if (in.i32(0) == LEGACY_MAGIC) {
                throw LocalCodec.failure(
                        CompressionError.UNKNOWN_FORMAT,
                        "an LZ4 legacy frame (lz4 -l): compress the content without -l");
            }
            if (in.i32(0) != MAGIC) {
                throw FrameScanner.noFrame();
            }
            FrameScanner.require(in, 6);
            var flags = in.u8(4);
            var sizes = in.u8(5);
            if (flags >> 6 != 1 || (flags & 2) != 0 || (sizes & 0x8F) != 0 || sizes >> 4 < 4) {
                throw LocalCodec.failure(CompressionError.CORRUPT, "a header of an unknown version");
            }
            var hasContent = (flags & 8) != 0;
            var hasDictionary = (flags & 1) != 0;
            var length = 7 + (hasContent ? Long.BYTES : 0) + (hasDictionary ? Integer.BYTES : 0);
            FrameScanner.require(in, length);
            var checksum = XxHash32.of(in.array(), in.position() + 4, length - 5);
            if (in.u8(length - 1) != (checksum >> 8 & 0xFF)) {
                throw LocalCodec.failure(CompressionError.CORRUPT, "the checksum of the header is wrong");
            }
            if (hasDictionary && in.i32(length - 5) != 0) {
                throw LocalCodec.failure(CompressionError.DICTIONARY, "LZ4 has no dictionaries here");
            }
            var content = hasContent ? in.i64(6) : -1;
            return new Header(
                    length,
                    (flags & 32) == 0,
                    (flags & 16) != 0,
                    (flags & 4) != 0,
                    hasContent && content < 0 ? Long.MAX_VALUE : content, // unsigned
                    1 << 8 + 2 * (sizes >> 4));
        }

        /** Returns the length of a block and its checksum, or of the end of the frame, by its first word. */
        int blockLength(int word) throws CompressionException {
            if (word == 0) {
                return Integer.BYTES + (contentChecksum ? Integer.BYTES : 0);
            }
            var size = word & ~UNCOMPRESSED;
            if (size > maxBlock) {
                throw LocalCodec.failure(CompressionError.CORRUPT, "a block is longer than the header states");
            }
            return Integer.BYTES + size + (blockChecksum ? Integer.BYTES : 0);
        }
    }

    /** Requires that a block has its checksum, if it has one. The input begins with the block. */
    static void requireChecksum(Header header, FrameInput in, int size) throws CompressionException {
        if (header.blockChecksum()
                && in.i32(Integer.BYTES + size) != XxHash32.of(in.array(), in.position() + Integer.BYTES, size)) {
            throw LocalCodec.failure(CompressionError.CORRUPT, "the checksum of a block is wrong");
        }
    }

    /** Requires that the end of a frame, with which the input begins, matches its content. */
    static void requireEnd(Header header, FrameInput in, long made, XxHash32 checksum) throws CompressionException {
        if (header.content() >= 0 && header.content() != made) {
            throw LocalCodec.failure(
                    CompressionError.CORRUPT,
                    "the content has " + made + " bytes, and the frame states " + header.content());
        }
        if (header.contentChecksum() && in.i32(Integer.BYTES) != checksum.value()) {
            throw LocalCodec.failure(CompressionError.CORRUPT, "the checksum is wrong");
        }
    }

    /**
     * Returns the length of the content of a compressed block, all parts of which it verifies.
     *
     * @param history the number of bytes of content before the block
     */
    static int contentLength(byte[] block, int offset, int length, long history, int max) throws CompressionException {
        var end = offset + length;
        var at = offset;
        var made = 0;
        var matchStart = -1;
        var matchEnd = -1;
        while (at < end) {
            var token = block[at++];
            var literals = token >> 4 & MAX_SHORT;
            if (literals == MAX_SHORT) {
                int part;
                do {
                    requireValid(at < end && literals <= max);
                    part = Byte.toUnsignedInt(block[at++]);
                    literals += part;
                } while (part == 255);
            }
            requireValid(literals <= end - at && literals <= max - made);
            at += literals;
            made += literals;
            if (at == end) {
                requireValid(matchEnd < 0 || matchStart <= made - LAST_MATCH && matchEnd <= made - LAST_LITERALS);
                return made;
            }
            requireValid(end - at >= 2);
            var distance = Byte.toUnsignedInt(block[at]) | Byte.toUnsignedInt(block[at + 1]) << 8;
            at += 2;
            var match = token & MAX_SHORT;
            if (match == MAX_SHORT) {
                int part;
                do {
                    requireValid(at < end && match <= max);
                    part = Byte.toUnsignedInt(block[at++]);
                    match += part;
                } while (part == 255);
            }
            match += MIN_MATCH;
            requireValid(distance > 0 && distance <= history + made && match <= max - made);
            matchStart = made;
            made += match;
            matchEnd = made;
        }
        throw invalid(); // no literals at the end
    }

    private static void requireValid(boolean condition) throws CompressionException {
        if (!condition) {
            throw invalid();
        }
    }

    private static CompressionException invalid() {
        return LocalCodec.failure(CompressionError.CORRUPT, "an invalid block");
    }

    /** Decodes a block that {@link #contentLength} has verified, behind its history. */
    static void decode(byte[] block, int offset, int length, byte[] to, int first) {
        var end = offset + length;
        var at = offset;
        var made = first;
        while (true) {
            var token = block[at++];
            var literals = token >> 4 & MAX_SHORT;
            if (literals == MAX_SHORT) {
                int part;
                do {
                    part = Byte.toUnsignedInt(block[at++]);
                    literals += part;
                } while (part == 255);
            }
            System.arraycopy(block, at, to, made, literals);
            at += literals;
            made += literals;
            if (at == end) {
                return;
            }
            var distance = Byte.toUnsignedInt(block[at]) | Byte.toUnsignedInt(block[at + 1]) << 8;
            at += 2;
            var match = token & MAX_SHORT;
            if (match == MAX_SHORT) {
                int part;
                do {
                    part = Byte.toUnsignedInt(block[at++]);
                    match += part;
                } while (part == 255);
            }
            match += MIN_MATCH;
            copyMatch(to, made, distance, match);
            made += match;
        }
    }

    /** Copies bytes that may overlap with their copy, which then repeats them. */
    private static void copyMatch(byte[] to, int at, int distance, int length) {
        if (length < SHORT_COPY) {
            for (var next = at; next < at + length; next++) {
                to[next] = to[next - distance];
            }
            return;
        }
        var copied = Math.min(distance, length);
        System.arraycopy(to, at - distance, to, at, copied);
        while (copied < length) {
            var part = Math.min(copied, length - copied);
            System.arraycopy(to, at, to, at + copied, part);
            copied += part;
        }
    }
}

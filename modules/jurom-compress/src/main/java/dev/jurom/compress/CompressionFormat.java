// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

/** A standard format of compressed data. */
public enum CompressionFormat {

    /** A zstd frame (RFC 8878), which contains the length of its content. */
    ZSTD(1, -131_072, 22, 3, true),

    /** An LZ4 frame with independent blocks, which contains the length of its content. */
    LZ4(2, 0, 12, 0, true),

    /**
     * A gzip member (RFC 1952). An extra field {@code JU} contains the member's length, so that a reader can
     * find the next member; other programs skip it.
     */
    GZIP(3, 0, 12, 6, true),

    /** A zlib stream (RFC 1950), which cannot be concatenated. */
    ZLIB(4, 0, 12, 6, false),

    /** Raw DEFLATE (RFC 1951) without header and checksum, which cannot be concatenated. */
    DEFLATE(5, 0, 12, 6, false);

    private final int code;
    private final int minLevel;
    private final int maxLevel;
    private final int defaultLevel;
    private final boolean concatenates;

    CompressionFormat(int code, int minLevel, int maxLevel, int defaultLevel, boolean concatenates) {
        this.code = code;
        this.minLevel = minLevel;
        this.maxLevel = maxLevel;
        this.defaultLevel = defaultLevel;
        this.concatenates = concatenates;
    }

    /** Returns the number of this format in commands. */
    int code() {
        return code;
    }

    /**
     * Returns the lowest level.
     *
     * @return the level of the fastest compression
     */
    public int minLevel() {
        return minLevel;
    }

    /**
     * Returns the highest level. Levels of DEFLATE above 9 exist in workers only; this process uses 9
     * instead.
     *
     * @return the level of the strongest compression
     */
    public int maxLevel() {
        return maxLevel;
    }

    /**
     * Returns the default level.
     *
     * @return a level within the limits
     */
    public int defaultLevel() {
        return defaultLevel;
    }

    /**
     * Returns whether concatenated frames are a valid stream.
     *
     * @return true for the formats of {@link OffloadOutputStream} and {@link OffloadInputStream}
     */
    public boolean concatenates() {
        return concatenates;
    }

    /**
     * Returns the maximum size of a compressed block.
     *
     * @param size the size of the block in bytes
     * @return a size that suffices for each format, level and content
     */
    public static long maxCompressedSize(long size) {
        return size + (size >> 7) + 512; // the largest overhead, of short zstd frames, is less than this
    }
}

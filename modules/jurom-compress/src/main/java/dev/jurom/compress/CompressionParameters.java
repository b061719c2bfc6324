// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The format, level, checksum and dictionary of blocks. Instances are immutable. */
public final class CompressionParameters {

    private final CompressionFormat format;
    private final int level;
    private final boolean checksum;
    private final byte[] dictionary;

    private CompressionParameters(CompressionFormat format, int level, boolean checksum, byte[] dictionary) {
        this.format = format;
        this.level = level;
        this.checksum = checksum;
        this.dictionary = dictionary;
    }

    /**
     * Returns parameters with the default level of a format, without checksum and dictionary.
     *
     * @param format the format
     * @return the parameters
     */
    public static CompressionParameters of(CompressionFormat format) {
        return new CompressionParameters(format, format.defaultLevel(), false, new byte[0]);
    }

    /**
     * Returns parameters with another level.
     *
     * @param newLevel the level, in the numbering of the format. A block fails with
     *        {@link CompressionError#INVALID_LEVEL} if the format has no such level
     * @return the changed parameters
     */
    public CompressionParameters withLevel(int newLevel) {
        return new CompressionParameters(format, newLevel, checksum, dictionary);
    }

    /**
     * Returns parameters with or without a checksum of the content. It has an effect on zstd and LZ4; gzip and
     * zlib always have a checksum, raw DEFLATE never.
     *
     * @param newChecksum whether compression adds a checksum, which decompression always verifies
     * @return the changed parameters
     */
    public CompressionParameters withChecksum(boolean newChecksum) {
        return new CompressionParameters(format, level, newChecksum, dictionary);
    }

    /**
     * Returns parameters with a dictionary, which each command contains. Workers keep the digested form of
     * the last one. Messages have room for the dictionary of the {@link CompressionConfiguration}; other
     * dictionaries leave less room for blocks. Only zstd has dictionaries: blocks of other formats fail with
     * {@link CompressionError#DICTIONARY}.
     *
     * @param newDictionary a trained dictionary, or any bytes that are similar to the content; empty for none
     * @return the changed parameters
     */
    public CompressionParameters withDictionary(byte[] newDictionary) {
        return new CompressionParameters(format, level, checksum, newDictionary.clone());
    }

    /**
     * Returns the format.
     *
     * @return the format
     */
    public CompressionFormat format() {
        return format;
    }

    /**
     * Returns the level.
     *
     * @return the level, in the numbering of the format
     */
    public int level() {
        return level;
    }

    /**
     * Returns whether compression adds a checksum.
     *
     * @return true if it does
     */
    public boolean checksum() {
        return checksum;
    }

    /**
     * Returns the dictionary.
     *
     * @return a copy; empty if there is none
     */
    public byte[] dictionary() {
        return dictionary.clone();
    }

    /** Returns the dictionary itself, which must not be changed. */
    byte[] sharedDictionary() {
        return dictionary;
    }

    /**
     * Compares these parameters with others.
     *
     * @param other any object
     * @return true if they are equal
     */
    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof CompressionParameters that
                && format == that.format
                && level == that.level
                && checksum == that.checksum
                && Arrays.equals(dictionary, that.dictionary);
    }

    @Override
    public int hashCode() {
        return Objects.hash(format, level, checksum, Arrays.hashCode(dictionary));
    }

    @Override
    public String toString() {
        return "CompressionParameters[format=" + format + ", level=" + level + ", checksum=" + checksum
                + ", dictionary=" + (dictionary.length == 0 ? "none" : dictionary.length + " bytes") + "]";
    }
}

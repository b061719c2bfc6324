// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * An immutable sequence of bytes: an address, key or payload. The time of a comparison does not depend on where two
 * sequences differ, and the text shows only the length, because many are secrets.
 */
public final class Bytes {

    private static final Bytes NONE = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /**
     * Copies an array.
     *
     * @param content the bytes
     * @return the same bytes
     */
    public static Bytes of(byte... content) {
        return content.length == 0 ? NONE : new Bytes(content.clone());
    }

    /**
     * Copies part of an array.
     *
     * @param content the array
     * @param from the index of the first byte
     * @param to the index after the last byte
     * @return the bytes in between
     */
    public static Bytes of(byte[] content, int from, int to) {
        return new Bytes(Arrays.copyOfRange(content, from, to));
    }

    /**
     * Returns the number of bytes.
     *
     * @return at least 0
     */
    int length() {
        return content.length;
    }

    /**
     * Copies the bytes to an array.
     *
     * @return a new array
     */
    public byte[] toArray() {
        return content.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && MessageDigest.isEqual(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }

    /** Returns the number of bytes, not their values. */
    @Override
    public String toString() {
        return content.length + " bytes";
    }
}

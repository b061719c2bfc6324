// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Bytes that do not change: addresses, keys, payloads. Comparing two takes the
 * same time wherever they differ, and printing one shows only its length: many are secrets.
 */
public final class Bytes {

    private static final Bytes NONE = new Bytes(new byte[0]);

    private final byte[] content;

    private Bytes(byte[] content) {
        this.content = content;
    }

    /**
     * A copy of an array.
     *
     * @param content the bytes
     * @return the same bytes, unchangeable
     */
    public static Bytes of(byte... content) {
        return content.length == 0 ? NONE : new Bytes(content.clone());
    }

    /**
     * A copy of part of an array.
     *
     * @param content the array
     * @param from the first byte
     * @param to the byte behind the last
     * @return the bytes between
     */
    public static Bytes of(byte[] content, int from, int to) {
        return new Bytes(Arrays.copyOfRange(content, from, to));
    }

    /**
     * How many there are.
     *
     * @return at least 0
     */
    public int length() {
        return content.length;
    }

    /**
     * A copy.
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

    /** How many bytes, not which. */
    @Override
    public String toString() {
        return content.length + " bytes";
    }
}

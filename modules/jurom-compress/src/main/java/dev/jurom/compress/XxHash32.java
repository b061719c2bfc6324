// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The checksum of LZ4 frames: XXH32 with the seed 0. Not thread-safe. */
final class XxHash32 {

    private static final int PRIME_1 = 0x9E3779B1;
    private static final int PRIME_2 = 0x85EBCA77;
    private static final int PRIME_3 = 0xC2B2AE3D;
    private static final int PRIME_4 = 0x27D4EB2F;
    private static final int PRIME_5 = 0x165667B1;
    private static final int STRIPE = 16;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] rest = new byte[STRIPE];
    private int restLength;
    private long length;
    private int lane1 = PRIME_1 + PRIME_2;
    private int lane2 = PRIME_2;
    private int lane3;
    private int lane4 = -PRIME_1;

    /** Returns the checksum of a range. */
    static int of(byte[] bytes, int offset, int length) {
        var hash = new XxHash32();
        hash.update(bytes, offset, length);
        return hash.value();
    }

    void update(byte[] bytes, int offset, int count) {
        length += count;
        var at = offset;
        var end = offset + count;
        if (restLength > 0) {
            var part = Math.min(STRIPE - restLength, count);
            System.arraycopy(bytes, at, rest, restLength, part);
            restLength += part;
            at += part;
            if (restLength < STRIPE) {
                return;
            }
            stripe(rest, 0);
            restLength = 0;
        }
        for (; at <= end - STRIPE; at += STRIPE) {
            stripe(bytes, at);
        }
        restLength = end - at;
        System.arraycopy(bytes, at, rest, 0, restLength);
    }

    private void stripe(byte[] bytes, int at) {
        lane1 = round(lane1, bytes, at);
        lane2 = round(lane2, bytes, at + 4);
        lane3 = round(lane3, bytes, at + 8);
        lane4 = round(lane4, bytes, at + 12);
    }

    private static int round(int lane, byte[] bytes, int at) {
        return Integer.rotateLeft(lane + (int) WORD.get(bytes, at) * PRIME_2, 13) * PRIME_1;
    }

    /** Returns the checksum of all bytes. */
    int value() {
        var hash = length < STRIPE
                ? PRIME_5
                : Integer.rotateLeft(lane1, 1)
                        + Integer.rotateLeft(lane2, 7)
                        + Integer.rotateLeft(lane3, 12)
                        + Integer.rotateLeft(lane4, 18);
        hash += (int) length;
        var at = 0;
        for (; at <= restLength - Integer.BYTES; at += Integer.BYTES) {
            hash = Integer.rotateLeft(hash + (int) WORD.get(rest, at) * PRIME_3, 17) * PRIME_4;
        }
        for (; at < restLength; at++) {
            hash = Integer.rotateLeft(hash + Byte.toUnsignedInt(rest[at]) * PRIME_5, 11) * PRIME_1;
        }
        hash = (hash ^ hash >>> 15) * PRIME_2;
        hash = (hash ^ hash >>> 13) * PRIME_3;
        return hash ^ hash >>> 16;
    }
}

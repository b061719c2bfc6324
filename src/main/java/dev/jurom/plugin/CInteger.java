// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/**
 * The integer types of C. In Java, each value is a {@code long}, which for {@link #U64} contains the
 * 64 bits of the unsigned value ({@link Long#toUnsignedString(long)} prints it).
 *
 * <p>{@code size_t} and pointers are {@link #U64}; {@code int} and {@code enum} are {@link #S32},
 * and {@code unsigned int} is {@link #U32}.
 */
public enum CInteger {
    /** {@code uint8_t}. */
    U8("uint8_t", 1, 0, 0xFFL),
    /** {@code int8_t}. */
    S8("int8_t", 1, Byte.MIN_VALUE, Byte.MAX_VALUE),
    /** {@code uint16_t}. */
    U16("uint16_t", 2, 0, 0xFFFFL),
    /** {@code int16_t}. */
    S16("int16_t", 2, Short.MIN_VALUE, Short.MAX_VALUE),
    /** {@code uint32_t}. */
    U32("uint32_t", 4, 0, 0xFFFF_FFFFL),
    /** {@code int32_t}. */
    S32("int32_t", 4, Integer.MIN_VALUE, Integer.MAX_VALUE),
    /** {@code uint64_t}, represented by its bits. */
    U64("uint64_t", 8, Long.MIN_VALUE, Long.MAX_VALUE),
    /** {@code int64_t}. */
    S64("int64_t", 8, Long.MIN_VALUE, Long.MAX_VALUE);

    private final String name;
    private final int size;
    private final long least;
    private final long greatest;

    CInteger(String name, int size, long least, long greatest) {
        this.name = name;
        this.size = size;
        this.least = least;
        this.greatest = greatest;
    }

    /**
     * Returns the type's size, which is also its alignment.
     *
     * @return 1, 2, 4 or 8 bytes
     */
    public int size() {
        return size;
    }

    /**
     * Returns whether a value is within this type's range.
     *
     * @param value the value
     * @return true if it is; always true for {@link #U64}
     */
    public boolean holds(long value) {
        return least <= value && value <= greatest;
    }

    /** Returns the name of the type in C. */
    String inC() {
        return name;
    }

    /** Returns the type and its range, for messages. */
    String range() {
        return name + " (" + least + " to " + greatest + ")";
    }

    /** Returns the value that a {@code long} represents. */
    BigInteger toBigInteger(long value) {
        var number = BigInteger.valueOf(value);
        return this == U64 && value < 0 ? number.add(BigInteger.TWO.pow(Long.SIZE)) : number;
    }

    long read(MemorySegment message, long offset) {
        return switch (this) {
            case U8 -> Byte.toUnsignedLong(message.get(JAVA_BYTE, offset));
            case S8 -> message.get(JAVA_BYTE, offset);
            case U16 -> Short.toUnsignedLong(message.get(JAVA_SHORT_UNALIGNED, offset));
            case S16 -> message.get(JAVA_SHORT_UNALIGNED, offset);
            case U32 -> Integer.toUnsignedLong(message.get(JAVA_INT_UNALIGNED, offset));
            case S32 -> message.get(JAVA_INT_UNALIGNED, offset);
            case U64, S64 -> message.get(JAVA_LONG_UNALIGNED, offset);
        };
    }

    void write(MemorySegment message, long offset, long value) {
        switch (this) {
            case U8, S8 -> message.set(JAVA_BYTE, offset, (byte) value);
            case U16, S16 -> message.set(JAVA_SHORT_UNALIGNED, offset, (short) value);
            case U32, S32 -> message.set(JAVA_INT_UNALIGNED, offset, (int) value);
            case U64, S64 -> message.set(JAVA_LONG_UNALIGNED, offset, value);
        }
    }
}

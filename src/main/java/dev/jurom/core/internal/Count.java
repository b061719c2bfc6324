// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

/** Checks numbers from callers, before C truncates them to integers of another width. */
public final class Count {

    private Count() {}

    /**
     * Checks that a number is in a range.
     *
     * @param what the meaning of the number, for the message
     * @param number any number
     * @param least the minimum
     * @param most the maximum
     * @throws IllegalArgumentException if it is out of range; the message states the range
     */
    public static void requireWithin(String what, long number, long least, long most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(what + ": " + number + " is not from " + least + " to " + most);
        }
    }

    /**
     * Checks that a number is a power of two in a range that begins at 1.
     *
     * @param what the meaning of the number, for the message
     * @param number any number
     * @param most the maximum
     * @throws IllegalArgumentException if it is not; the message states the range
     */
    public static void requirePowerOfTwo(String what, long number, long most) {
        if (number < 1 || number > most || Long.bitCount(number) != 1) {
            throw new IllegalArgumentException(what + ": " + number + " is not a power of two from 1 to " + most);
        }
    }
}

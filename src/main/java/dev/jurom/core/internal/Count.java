// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

/** Numbers that a caller sets, checked before C sees them cut to integers of its own width. */
public final class Count {

    private Count() {}

    /**
     * Requires a number to be in a range.
     *
     * @param what what it is the number of, for the message
     * @param number any number
     * @param least the range's lower end
     * @param most the range's upper end
     * @throws IllegalArgumentException if it is not; the message names the range
     */
    public static void requireWithin(String what, long number, long least, long most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(what + ": " + number + " is not from " + least + " to " + most);
        }
    }

    /**
     * Requires a number to be a power of two in a range that begins at 1.
     *
     * @param what what it is the number of, for the message
     * @param number any number
     * @param most the range's upper end
     * @throws IllegalArgumentException if it is not; the message names the range
     */
    public static void requirePowerOfTwo(String what, long number, long most) {
        if (number < 1 || number > most || Long.bitCount(number) != 1) {
            throw new IllegalArgumentException(what + ": " + number + " is not a power of two from 1 to " + most);
        }
    }
}

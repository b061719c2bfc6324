// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.settings;

/** Checks that numbers from users are in range. */
final class Range {

    private Range() {}

    static void require(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "The " + what + " is " + value + ": it must be from " + min + " to " + max);
        }
    }
}

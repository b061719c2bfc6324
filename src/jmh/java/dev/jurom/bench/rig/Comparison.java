// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/**
 * One subject against another.
 *
 * @param name what is compared, in words
 * @param numerator this subject
 * @param above this of it
 * @param denominator through that one
 * @param below that of it
 * @param goal what the ratio should be
 */
record Comparison(String name, Subject numerator, Quantity above, Subject denominator,
        Quantity below, Goal goal) {

    /** Of one quantity. */
    static Comparison of(String name, Quantity quantity, Subject numerator, Subject denominator,
            Goal goal) {
        return new Comparison(name, numerator, quantity, denominator, quantity, goal);
    }
}

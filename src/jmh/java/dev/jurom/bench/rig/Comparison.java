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
 * @param relation how the two are put together
 * @param goal what the result should be
 */
record Comparison(
        String name,
        Subject numerator,
        Quantity above,
        Subject denominator,
        Quantity below,
        Relation relation,
        Goal goal) {

    /** Of one quantity. */
    static Comparison of(String name, Quantity quantity, Subject numerator, Subject denominator, Goal goal) {
        return new Comparison(name, numerator, quantity, denominator, quantity, Relation.RATIO, goal);
    }

    /** What an operation of one subject takes longer than one of the other, in nanoseconds. */
    static Comparison added(String name, Subject longer, Subject shorter, Goal goal) {
        return new Comparison(name, longer, Quantity.P50, shorter, Quantity.P50, Relation.DIFFERENCE, goal);
    }
}

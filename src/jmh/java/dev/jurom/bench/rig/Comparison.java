// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/**
 * A comparison of two subjects.
 *
 * @param name the description
 * @param numerator the first subject
 * @param above the quantity of the first subject
 * @param denominator the second subject
 * @param below the quantity of the second subject
 * @param relation the ratio or the difference
 * @param goal the goal of the result
 */
record Comparison(
        String name,
        Subject numerator,
        Quantity above,
        Subject denominator,
        Quantity below,
        Relation relation,
        Goal goal) {

    /** Returns the ratio of one quantity of two subjects. */
    static Comparison of(String name, Quantity quantity, Subject numerator, Subject denominator, Goal goal) {
        return new Comparison(name, numerator, quantity, denominator, quantity, Relation.RATIO, goal);
    }

    /** Returns the difference of the times of two subjects in nanoseconds. */
    static Comparison added(String name, Subject longer, Subject shorter, Goal goal) {
        return new Comparison(name, longer, Quantity.TIME, shorter, Quantity.TIME, Relation.DIFFERENCE, goal);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/**
 * What a ratio or a difference should be.
 *
 * @param atMost whether it should be at most the bound, rather than at least
 * @param near the bound where the cores are near; NaN when there is no goal
 * @param far the bound where they are far
 */
record Goal(boolean atMost, double near, double far) {

    /** For what is only to be known. */
    static final Goal NONE = new Goal(true, Double.NaN, Double.NaN);

    /** The same bound wherever the cores are. */
    static Goal atMost(double bound) {
        return atMost(bound, bound);
    }

    static Goal atMost(double near, double far) {
        return new Goal(true, near, far);
    }

    /** The same bound wherever the cores are. */
    static Goal atLeast(double bound) {
        return atLeast(bound, bound);
    }

    static Goal atLeast(double near, double far) {
        return new Goal(false, near, far);
    }

    private double bound(Distance distance) {
        return distance == Distance.NEAR ? near : far;
    }

    /** Whether a result meets it, in a word. */
    String verdict(Distance distance, double result) {
        var bound = bound(distance);
        if (Double.isNaN(bound)) {
            return "";
        }
        return (atMost ? result <= bound : result >= bound) ? "yes" : "**no**";
    }

    /** The bound as text. */
    String text(Distance distance, Relation relation) {
        var bound = bound(distance);
        return Double.isNaN(bound) ? "" : (atMost ? "<= " : ">= ") + relation.format(bound);
    }
}

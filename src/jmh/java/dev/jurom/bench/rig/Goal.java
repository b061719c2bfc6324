// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/**
 * What a ratio should be.
 *
 * @param atMost whether it should be at most the bound, rather than at least
 * @param bound the bound; NaN when there is no goal
 */
record Goal(boolean atMost, double bound) {

    /** For what is only to be known. */
    static final Goal NONE = new Goal(true, Double.NaN);

    static Goal atMost(double bound) {
        return new Goal(true, bound);
    }

    static Goal atLeast(double bound) {
        return new Goal(false, bound);
    }

    /** Whether a ratio meets it, in a word. */
    String verdict(double ratio) {
        if (Double.isNaN(bound)) {
            return "";
        }
        return (atMost ? ratio <= bound : ratio >= bound) ? "yes" : "**no**";
    }

    @Override
    public String toString() {
        return Double.isNaN(bound) ? "" : (atMost ? "<= " : ">= ") + Figures.number(bound);
    }
}

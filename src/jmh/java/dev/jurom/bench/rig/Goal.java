// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/**
 * The goal of a ratio or a difference.
 *
 * @param atMost whether the bound is an upper bound
 * @param shared the bound in a shared cache domain, or NaN for no goal
 * @param separate the bound in separate cache domains
 */
record Goal(boolean atMost, double shared, double separate) {

    /** No goal. */
    static final Goal NONE = new Goal(true, Double.NaN, Double.NaN);

    /** Returns an upper bound for both domains. */
    static Goal atMost(double bound) {
        return atMost(bound, bound);
    }

    static Goal atMost(double shared, double separate) {
        return new Goal(true, shared, separate);
    }

    /** Returns a lower bound for both domains. */
    static Goal atLeast(double bound) {
        return atLeast(bound, bound);
    }

    static Goal atLeast(double shared, double separate) {
        return new Goal(false, shared, separate);
    }

    private double bound(CacheDomain domain) {
        return domain == CacheDomain.SHARED ? shared : separate;
    }

    /** Returns whether a result meets the goal, for the table. */
    String verdict(CacheDomain domain, double result) {
        var bound = bound(domain);
        if (Double.isNaN(bound)) {
            return "";
        }
        return (atMost ? result <= bound : result >= bound) ? "yes" : "**no**";
    }

    /** Formats the bound. */
    String text(CacheDomain domain, Relation relation) {
        var bound = bound(domain);
        return Double.isNaN(bound) ? "" : (atMost ? "<= " : ">= ") + relation.format(bound);
    }
}

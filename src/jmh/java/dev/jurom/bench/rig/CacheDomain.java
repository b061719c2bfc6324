// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Locale;

/**
 * The relation of two cores: they share a cache or not, according to the round-trip time of a cache line. In some
 * virtual machines, this changes within seconds.
 */
enum CacheDomain {

    /** The cores share a cache: the round trip takes less than 200 ns. */
    SHARED,
    /** The cores are in separate cache domains: the round trip takes longer. */
    SEPARATE;

    private static final double SEPARATE_FROM_NANOS = 200;

    /** Returns the domain for a round-trip time in nanoseconds. */
    static CacheDomain of(double nanos) {
        return nanos < SEPARATE_FROM_NANOS ? SHARED : SEPARATE;
    }

    /** Returns a phrase for texts. */
    String phrase() {
        return this == SHARED ? "shared cache domain" : "separate cache domains";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.Locale;

/**
 * How far apart the two cores are, told by what a cache line takes to the other one and back. On
 * some machines that changes by a factor of four within seconds, whatever runs there.
 */
enum Distance {

    /** About 0.1 µs. */
    NEAR,
    /** About 0.4 µs. */
    FAR;

    private static final double FAR_FROM_NANOS = 200;

    /** What a cache line's time there and back tells. */
    static Distance of(double nanos) {
        return nanos < FAR_FROM_NANOS ? NEAR : FAR;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;

/**
 * How costs grow along an axis: lines of what is measured at each of its points, each as a multiple
 * of a reference that is measured right before or after.
 *
 * @param name what its file is called
 * @param title what is shown
 * @param axis what grows, for "slower than ..."
 * @param inBytes whether the points are sizes
 * @param points on the axis, from the least
 * @param reference what all is a multiple of
 * @param unit what of it, and of each line
 * @param lines what is measured
 */
record Curve(
        String name,
        String title,
        String axis,
        boolean inBytes,
        List<Integer> points,
        Subject reference,
        Quantity unit,
        List<CurveLine> lines) {

    private static final int KIBI = 1024;

    /** A point of the axis as text. */
    String label(int point) {
        if (!inBytes || point < KIBI) {
            return point + (inBytes ? " B" : "");
        }
        return point < KIBI * KIBI ? point / KIBI + " KiB" : point / (KIBI * KIBI) + " MiB";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.List;

/**
 * A curve of costs over a variable. Each value is a multiple of a reference that is measured directly before
 * or after it.
 *
 * @param name the name of the plot file
 * @param title the title
 * @param axis the variable, for texts such as "slower than ..."
 * @param inBytes whether the variable is a size in bytes
 * @param points the values of the variable in ascending order
 * @param reference the reference subject
 * @param unit the measured quantity
 * @param lines the measured lines
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

    /** Formats a value of the variable. */
    String label(int point) {
        if (!inBytes || point < KIBI) {
            return point + (inBytes ? " B" : "");
        }
        return point < KIBI * KIBI ? point / KIBI + " KiB" : point / (KIBI * KIBI) + " MiB";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.function.IntFunction;

/**
 * What is measured along the axis of a {@link Curve}.
 *
 * @param name how tables and plots call it
 * @param change what changes from point to point in one process of the subject; empty: each point
 *        has a process of its own
 * @param subject what is measured at a point; where one process serves all, the same for all
 * @param most where the line ends
 */
record CurveLine(String name, String change, IntFunction<Subject> subject, int most) {

    /** With a process for each point. */
    static CurveLine of(String name, IntFunction<Subject> subject) {
        return new CurveLine(name, "", subject, Integer.MAX_VALUE);
    }

    /** With one process for all points. */
    static CurveLine changing(String change, Subject subject) {
        return new CurveLine(subject.name(), change, point -> subject, Integer.MAX_VALUE);
    }

    /** The same line, up to a point. */
    CurveLine upTo(int point) {
        return new CurveLine(name, change, subject, point);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import java.util.function.IntFunction;

/**
 * A line of a {@link Curve}.
 *
 * @param name the name in tables and plots
 * @param change the parameter to change in one process of the subject; if empty, each point has its own
 *     process
 * @param subject returns the subject of a point, the same for all points of one process
 * @param most the last point of the line
 */
record CurveLine(String name, String change, IntFunction<Subject> subject, int most) {

    /** Returns a line with a process for each point. */
    static CurveLine of(String name, IntFunction<Subject> subject) {
        return new CurveLine(name, "", subject, Integer.MAX_VALUE);
    }

    /** Returns a line with one process for all points. */
    static CurveLine changing(String change, Subject subject) {
        return new CurveLine(subject.name(), change, point -> subject, Integer.MAX_VALUE);
    }

    /** Returns this line up to the given point. */
    CurveLine upTo(int point) {
        return new CurveLine(name, change, subject, point);
    }
}

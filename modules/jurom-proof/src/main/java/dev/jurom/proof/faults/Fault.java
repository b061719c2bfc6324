// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.List;

/**
 * An action to perform at a fault point.
 *
 * @param role the role of the affected processes
 * @param point the fault point
 * @param action the action
 * @param arguments the arguments of the action, in order
 * @param after the number of times that the point is reached before the action is performed
 * @param times the maximum number of times that the action is performed, or {@link #UNLIMITED}
 */
public record Fault(
        FaultRole role, FaultPoint point, FaultAction action, List<Long> arguments, long after, long times) {

    /** The value of {@link #times} for a fault that occurs each time that the point is reached. */
    static final long UNLIMITED = -1;

    /** Returns the argument at the given index, or 0 if there is none. */
    long argument(int index) {
        return index < arguments.size() ? arguments.get(index) : 0;
    }

    /** Returns the fault as a line of a schedule. */
    @Override
    public String toString() {
        var text = new StringBuilder(role + " " + point + " " + action);
        for (var i = 0; i < arguments.size(); i++) {
            text.append(' ').append(point.kind().parameters(action).get(i).text(arguments.get(i)));
        }
        if (after > 0) {
            text.append(" after ").append(after);
        }
        if (times != 1) {
            text.append(" times ").append(times == UNLIMITED ? FaultSchedule.ALWAYS : times);
        }
        return text.toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.faults;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Something that shall happen at a fault point.
 *
 * @param role to processes of which role
 * @param point where
 * @param action what
 * @param arguments what the action must be told, in order
 * @param after how often the point is reached before
 * @param times how often it happens; {@link #FOR_EVER} has no end
 */
public record Fault(
        FaultRole role, FaultPoint point, FaultAction action, List<Long> arguments, long after, long times) {

    /** As often as the point is reached. */
    public static final long FOR_EVER = -1;

    /** A fault that is possible. */
    public Fault {
        arguments = List.copyOf(arguments);
        var parameters = point.kind().parameters(action);
        require(
                point.roles().contains(role),
                "the point " + point + " is not reached by a " + role.word() + ", but by " + words(point));
        require(
                point.actions().contains(action),
                "the point " + point + " has no action " + action + ", but " + point.actions());
        require(
                arguments.size() == parameters.size(),
                action + " at " + point + " takes " + parameters + ", not " + arguments);
        for (var i = 0; i < arguments.size(); i++) {
            require(
                    parameters.get(i).allows(arguments.get(i)),
                    arguments.get(i) + " is not " + parameters.get(i).meaning() + " that " + action + " takes");
        }
        require(after >= 0, "after " + after + ": a point is reached 0 times or more before");
        require(times > 0 || times == FOR_EVER, "times " + times + ": it happens once or more");
    }

    /** Something that happens the first time that the point is reached, and once. */
    public static Fault once(FaultRole role, FaultPoint point, FaultAction action, Long... arguments) {
        return new Fault(role, point, action, List.of(arguments), 0, 1);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static String words(FaultPoint point) {
        return point.roles().stream().map(FaultRole::word).collect(Collectors.joining(", "));
    }

    /** The argument of this place, or 0. */
    long argument(int place) {
        return place < arguments.size() ? arguments.get(place) : 0;
    }

    /** As in a schedule. */
    @Override
    public String toString() {
        var text = new StringBuilder(role.word())
                .append(' ')
                .append(point.name())
                .append(' ')
                .append(action);
        var parameters = point.kind().parameters(action);
        for (var i = 0; i < arguments.size(); i++) {
            text.append(' ').append(parameters.get(i).text(arguments.get(i)));
        }
        if (after > 0) {
            text.append(' ').append(FaultSchedule.AFTER).append(' ').append(after);
        }
        if (times != 1) {
            text.append(' ')
                    .append(FaultSchedule.TIMES)
                    .append(' ')
                    .append(times == FOR_EVER ? FaultSchedule.ALWAYS : times);
        }
        return text.toString();
    }
}

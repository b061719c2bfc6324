// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultPoints;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The possible effects of injected faults. */
final class FaultEffects {

    private static final FaultPoints POINTS = FaultPoints.read();

    /** Actions that only cause delays. */
    private static final Set<FaultAction> HARMLESS = EnumSet.of(FaultAction.DELAY, FaultAction.SHORT, FaultAction.STOP);

    private static final Set<FaultAction> DEADLY = EnumSet.of(FaultAction.KILL, FaultAction.SEGV, FaultAction.STOP);
    private static final Set<FaultAction> CHANGING =
            EnumSet.of(FaultAction.CORRUPT, FaultAction.WRONG_CONTEXT, FaultAction.WRONG_LENGTH);

    private FaultEffects() {}

    /** Returns whether an action may cause errors. */
    static boolean mayFail(FaultAction action) {
        return !HARMLESS.contains(action);
    }

    /** Returns whether an action ends or stops a process. */
    static boolean isDeadly(FaultAction action) {
        return DEADLY.contains(action);
    }

    /** Returns whether an action may cause wrong answers. */
    static boolean mayChangeAnswers(FaultAction action) {
        return CHANGING.contains(action);
    }

    /** Returns whether an event may prevent the service from deleting files. */
    static boolean mayLeaveFiles(FaultEvent event) {
        return event.action() == FaultAction.FAIL
                && POINTS.find(event.point())
                        .filter(point -> point.name().equals("daemon_worker_unlink"))
                        .isPresent();
    }

    /** Formats the action and the point of an event. */
    static String kind(FaultEvent event) {
        return event.action() + " at "
                + POINTS.find(event.point()).map(Object::toString).orElse("point " + event.point());
    }

    /** Formats an event. */
    static String text(FaultEvent event) {
        return "%14s  %s %d  %s"
                .formatted("", event.role().name().toLowerCase(Locale.ROOT), event.process(), kind(event));
    }
}

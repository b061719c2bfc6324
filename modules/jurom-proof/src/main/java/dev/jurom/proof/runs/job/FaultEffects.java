// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultPoints;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What may come of the faults that have happened. */
final class FaultEffects {

    private static final FaultPoints POINTS = FaultPoints.read();

    /** These make something slower, and nothing else. */
    private static final Set<FaultAction> HARMLESS = EnumSet.of(FaultAction.DELAY, FaultAction.SHORT, FaultAction.STOP);

    private static final Set<FaultAction> DEADLY = EnumSet.of(FaultAction.KILL, FaultAction.SEGV, FaultAction.STOP);
    private static final Set<FaultAction> CHANGING =
            EnumSet.of(FaultAction.CORRUPT, FaultAction.WRONG_CONTEXT, FaultAction.WRONG_LENGTH);

    private FaultEffects() {}

    /** Whether commands may fail by it. */
    static boolean mayFail(FaultAction action) {
        return !HARMLESS.contains(action);
    }

    /** Whether a process ends by it, or stands still. */
    static boolean isDeadly(FaultAction action) {
        return DEADLY.contains(action);
    }

    /** Whether a command may be answered with what is another's. */
    static boolean mayChangeAnswers(FaultAction action) {
        return CHANGING.contains(action);
    }

    /** Whether files stay because the service could not delete them. */
    static boolean mayLeaveFiles(FaultEvent event) {
        return event.action() == FaultAction.FAIL
                && POINTS.find(event.point())
                        .filter(point -> point.name().equals("daemon_worker_unlink"))
                        .isPresent();
    }

    /** What happened where. */
    static String kind(FaultEvent event) {
        return event.action() + " at "
                + POINTS.find(event.point()).map(Object::toString).orElse("point " + event.point());
    }

    /** What happened where to whom. */
    static String text(FaultEvent event) {
        return "%14s  %s %d  %s"
                .formatted("", event.role().name().toLowerCase(Locale.ROOT), event.process(), kind(event));
    }
}

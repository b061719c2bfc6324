// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultRole;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The possible effects of injected faults. */
final class FaultEffects {

    /** Actions that only cause delays. */
    private static final Set<FaultAction> HARMLESS = EnumSet.of(FaultAction.DELAY, FaultAction.SHORT, FaultAction.STOP);

    private static final Set<FaultAction> DEADLY = EnumSet.of(FaultAction.KILL, FaultAction.SEGV, FaultAction.STOP);
    private static final Set<FaultAction> CHANGING =
            EnumSet.of(FaultAction.CORRUPT, FaultAction.WRONG_CONTEXT, FaultAction.WRONG_LENGTH);

    /** Actions that may leave a command without an answer. */
    private static final Set<FaultAction> SILENT = EnumSet.of(
            FaultAction.SILENCE, FaultAction.WRONG_CONTEXT, FaultAction.CORRUPT, FaultAction.JUMP, FaultAction.FAIL);

    private static final String RDMO = "rdmo"; // UCX does not report the death of a peer, so a writer times out
    private static final Duration DEATH = Duration.ofMillis(100);
    private static final Duration FAILURE = Duration.ofSeconds(1);
    private static final Duration START = Duration.ofSeconds(20); // START_DEADLINE_MS of the library
    private static final Duration CONNECTION = Duration.ofSeconds(10); // OPEN_DEADLINE_NS of the library

    private FaultEffects() {}

    /** Returns whether an action may cause errors. */
    static boolean mayFail(FaultAction action) {
        return !HARMLESS.contains(action);
    }

    /** Returns whether an action ends or stops a process. */
    static boolean isDeadly(FaultAction action) {
        return DEADLY.contains(action);
    }

    /** Returns whether an action can cause an error of a call. */
    static boolean mayCause(FaultAction action, String call) {
        return switch (call) {
            case "wrong" -> CHANGING.contains(action);
            case "late" -> SILENT.contains(action);
            default -> true;
        };
    }

    /**
     * Returns the time within which all errors of a call due to an event occur, or empty if the event has effects
     * until the end of the run.
     *
     * @param timeout the time that hosts wait for an answer
     */
    static Optional<Duration> deadline(FaultEvent event, String call, Duration timeout) {
        return switch (event.action()) {
            case KILL, SEGV ->
                event.role() == FaultRole.DAEMON
                        ? Optional.empty()
                        : Optional.of(call.equals(RDMO) ? timeout.plus(FAILURE) : DEATH);
            case JUMP -> Optional.empty();
            case FAIL, DROP -> Optional.of(call.equals(RDMO) ? timeout.plus(FAILURE) : FAILURE);
            default -> Optional.of(limit(call, timeout).plus(FAILURE));
        };
    }

    /** Returns the maximum time that a call waits for an answer. */
    private static Duration limit(String call, Duration timeout) {
        return switch (call) {
            case "service" -> CONNECTION;
            case "start", "domain_worker" -> START;
            default -> timeout;
        };
    }

    /** Returns whether an event may prevent the service from deleting files. */
    static boolean mayLeaveFiles(FaultEvent event) {
        return event.action() == FaultAction.FAIL
                && FaultPoints.find(event.point())
                        .filter(point -> point.name().equals("daemon_worker_unlink"))
                        .isPresent();
    }

    /** Formats the action and the point of an event. */
    static String kind(FaultEvent event) {
        return event.action() + " at "
                + FaultPoints.find(event.point()).map(Object::toString).orElse("point " + event.point());
    }

    /** Formats an event, with its time on the clock of the error lines. */
    static String text(FaultEvent event) {
        return "%d ns  %s %d  %s"
                .formatted(
                        event.nanoseconds(),
                        event.role().name().toLowerCase(Locale.ROOT),
                        event.process(),
                        kind(event));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import java.time.Duration;
import java.util.Locale;

/**
 * A signal that is sent to a process during a run.
 *
 * @param target the kind of process
 * @param index the index of the process
 * @param after the time since the start of the hosts
 * @param stopped the duration of a stop, or zero to kill the process
 */
public record PlannedSignal(SignalTarget target, int index, Duration after, Duration stopped) {

    /** Returns whether the signal kills the process. */
    public boolean kills() {
        return stopped.isZero();
    }

    /** Returns the kind of signal and process for statistics. */
    public String kind() {
        return (kills() ? "KILL " : "STOP ") + "of a " + target.name().toLowerCase(Locale.ROOT);
    }

    /** Returns the signal as a line of a schedule. */
    @Override
    public String toString() {
        var process = target.name().toLowerCase(Locale.ROOT);
        var micros = after.toNanos() / 1000;
        return kills()
                ? "kill %s %d at %d us".formatted(process, index, micros)
                : "stop %s %d at %d us for %d ms".formatted(process, index, micros, stopped.toMillis());
    }
}

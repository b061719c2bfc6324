// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import java.time.Duration;
import java.util.Locale;

/**
 * A signal that a process of the run gets from outside.
 *
 * @param victim what kind of process
 * @param place which of them
 * @param after when, since the hosts began
 * @param stopped how long it stands still; zero: it is killed
 */
public record Blow(Victim victim, int place, Duration after, Duration stopped) {

    /** Whether the process ends by it. */
    public boolean kills() {
        return stopped.isZero();
    }

    /** What it is to whom. */
    public String kind() {
        return (kills() ? "KILL " : "STOP ") + "of a " + victim.name().toLowerCase(Locale.ROOT);
    }

    /** As in a schedule. */
    @Override
    public String toString() {
        var who = victim.name().toLowerCase(Locale.ROOT);
        var micros = after.toNanos() / 1000;
        return kills()
                ? "kill %s %d at %d us".formatted(who, place, micros)
                : "stop %s %d at %d us for %d ms".formatted(who, place, micros, stopped.toMillis());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultEvent;
import dev.jurom.proof.faults.FaultRole;
import dev.jurom.proof.runs.plan.PlannedSignal;

/**
 * A signal that was sent to a process.
 *
 * @param signal the planned signal
 * @param process the id of the process
 * @param nanoseconds the time of CLOCK_MONOTONIC
 */
record SentSignal(PlannedSignal signal, long process, long nanoseconds) {

    /** Returns the signal as an event without a fault point. */
    FaultEvent event() {
        return new FaultEvent(
                nanoseconds,
                FaultEvent.NO_POINT,
                signal.kills() ? FaultAction.KILL : FaultAction.STOP,
                (int) process,
                switch (signal.target()) {
                    case HOST -> FaultRole.HOST;
                    case WORKER -> FaultRole.WORKER;
                    case DAEMON -> FaultRole.DAEMON;
                },
                0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Unsigned;

/** A thread that waits because all commands of a worker are in flight. Off unless asked for. */
@Name("dev.jurom.BackPressure")
@Label("UROM Back-Pressure")
@Category("jurom")
@Description("A submitting thread that waits until a command of the worker completes")
@Enabled(false)
public final class BackPressureEvent extends Event {

    @Label("Worker")
    @Unsigned
    long worker;

    @Label("Commands in Flight")
    int commands;

    @Label("In Time")
    @Description("Whether a command completed before the thread gave up")
    boolean inTime;

    /** Makes an event that has not begun. */
    public BackPressureEvent() {}

    /**
     * Ends this event, and records it if a recording wants it.
     *
     * @param ofWorker the id of the worker
     * @param inFlight how many commands it has in flight
     * @param hasSlot whether a command completed in time
     */
    public void end(long ofWorker, int inFlight, boolean hasSlot) {
        end();
        if (shouldCommit()) {
            worker = ofWorker;
            commands = inFlight;
            inTime = hasSlot;
            commit();
        }
    }
}

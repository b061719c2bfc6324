// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.core.internal.FlightRecording;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Unsigned;
import org.jspecify.annotations.Nullable;

/**
 * The event of a thread that waits because all commands of a worker are in flight. It is disabled unless a recording
 * enables it, and has no effect if the Java runtime lacks the module {@code jdk.jfr}.
 */
public final class BackPressureEvent {

    /** The event of JDK Flight Recorder. This class is not loaded unless {@link FlightRecording#isPossible}. */
    @Name("dev.jurom.BackPressure")
    @Label("UROM Back-Pressure")
    @Category("jurom")
    @Description("A submitting thread that waits until a command of the worker completes")
    @Enabled(false)
    static final class Recorded extends Event {

        @Label("Worker")
        @Unsigned
        long worker;

        @Label("Commands in Flight")
        int commands;

        @Label("In Time")
        @Description("True if a command completed before the thread stopped waiting")
        boolean inTime;
    }

    private final @Nullable Recorded recorded = create();

    /** Creates an event that has not begun. */
    public BackPressureEvent() {}

    private static @Nullable Recorded create() {
        try {
            return FlightRecording.isPossible() ? new Recorded() : null;
        } catch (LinkageError e) { // its initializer has failed in another thread, for lack of memory
            return null;
        }
    }

    /** Starts the time of this event. */
    public void begin() {
        if (recorded != null) {
            recorded.begin();
        }
    }

    /**
     * Ends this event, and records it if a recording enables it.
     *
     * @param ofWorker the id of the worker
     * @param inFlight the number of its commands in flight
     * @param hasSlot whether a command completed in time
     */
    public void end(long ofWorker, int inFlight, boolean hasSlot) {
        if (recorded == null) {
            return;
        }
        recorded.end();
        if (recorded.shouldCommit()) {
            recorded.worker = ofWorker;
            recorded.commands = inFlight;
            recorded.inTime = hasSlot;
            recorded.commit();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Unsigned;
import org.jspecify.annotations.Nullable;

/**
 * A command, from its submission until it completes or is abandoned. Off unless a recording enables
 * it, and without effect if the Java runtime lacks the module {@code jdk.jfr}.
 */
public final class CommandEvent {

    /** The status of a command that no thread waits for any more. */
    public static final String ABANDONED = "GIVEN_UP";

    /** The event of JDK Flight Recorder. This class is not loaded unless {@link FlightRecording#isPossible}. */
    @Name("dev.jurom.Command")
    @Label("UROM Command")
    @Category("jurom")
    @Description("A command of a worker, from its submission until it completes or is abandoned")
    @Enabled(false)
    @StackTrace(false)
    static final class Recorded extends Event {

        @Label("Worker")
        @Unsigned
        long worker;

        @Label("Plugin")
        @Unsigned
        long plugin;

        @Label("Payload")
        @DataAmount
        long payload;

        @Label("Response")
        @DataAmount
        long response;

        @Label("Status")
        @Nullable
        String status;
    }

    /** The settings that all events have. */
    private static final class Settings {
        static final Recorded OF_ALL = new Recorded();
    }

    private final Recorded recorded = new Recorded();

    private CommandEvent() {}

    /**
     * Returns whether a recording enables the event.
     *
     * @return whether {@link #begin} returns an event
     */
    public static boolean isEnabled() {
        try {
            return FlightRecording.isPossible() && Settings.OF_ALL.isEnabled();
        } catch (LinkageError e) { // their initializer has failed in another thread, for lack of memory
            return false;
        }
    }

    /**
     * Begins an event if a recording enables it.
     *
     * @param worker the id of the worker
     * @param plugin the id of the plugin
     * @param payload the size of the command in bytes
     * @return the event of a command that is about to be submitted; null if no recording enables it
     */
    public static @Nullable CommandEvent begin(long worker, long plugin, long payload) {
        if (!isEnabled()) {
            return null;
        }
        var event = new CommandEvent();
        event.recorded.worker = worker;
        event.recorded.plugin = plugin;
        event.recorded.payload = payload;
        event.recorded.begin();
        return event;
    }

    /**
     * Ends the event and records it.
     *
     * @param status the status with which the command completed, or {@link #ABANDONED}
     * @param response the size of the response in bytes
     */
    public void end(String status, long response) {
        recorded.end();
        recorded.status = status;
        recorded.response = response;
        recorded.commit();
    }
}

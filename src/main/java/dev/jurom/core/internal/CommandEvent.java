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

    /** The event of JDK Flight Recorder. Not loaded without its module. */
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

    /** Has the settings of all events; null without the module. */
    private static final @Nullable Recorded PROBE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent() ? new Recorded() : null;

    /** The id of the worker. */
    public long worker;

    /** The id of the plugin. */
    public long plugin;

    /** The size of the command in bytes. */
    public long payload;

    /** The size of the response in bytes. */
    public long response;

    /** The status with which it completed. */
    public @Nullable String status;

    private @Nullable Recorded recorded; // if a recording enables it

    /** Creates an event that has not begun. */
    public CommandEvent() {}

    /**
     * Returns whether a recording enables these events.
     *
     * @return whether they are recorded
     */
    public boolean isEnabled() {
        return PROBE != null && PROBE.isEnabled();
    }

    /** Starts the time of this event. */
    public void begin() {
        if (isEnabled()) {
            recorded = new Recorded();
            recorded.begin();
        }
    }

    /** Ends the time of this event. */
    public void end() {
        if (recorded != null) {
            recorded.end();
        }
    }

    /**
     * Returns whether a recording wants this event, which has ended.
     *
     * @return whether {@link #commit} records it
     */
    public boolean shouldCommit() {
        return recorded != null && recorded.shouldCommit();
    }

    /** Records this event, if a recording wants it. */
    public void commit() {
        if (recorded != null) {
            recorded.worker = worker;
            recorded.plugin = plugin;
            recorded.payload = payload;
            recorded.response = response;
            recorded.status = status;
            recorded.commit();
        }
    }
}

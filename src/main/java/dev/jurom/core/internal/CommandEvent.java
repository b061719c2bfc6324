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
 * it.
 */
@Name("dev.jurom.Command")
@Label("UROM Command")
@Category("jurom")
@Description("A command of a worker, from its submission until it completes or is abandoned")
@Enabled(false)
@StackTrace(false)
public final class CommandEvent extends Event {

    /** The status of a command that no thread waits for any more. */
    public static final String ABANDONED = "GIVEN_UP";

    /** The id of the worker. */
    @Label("Worker")
    @Unsigned
    public long worker;

    /** The id of the plugin. */
    @Label("Plugin")
    @Unsigned
    public long plugin;

    /** The size of the command in bytes. */
    @Label("Payload")
    @DataAmount
    public long payload;

    /** The size of the response in bytes. */
    @Label("Response")
    @DataAmount
    public long response;

    /** The status with which it completed. */
    @Label("Status")
    public @Nullable String status;

    private static final CommandEvent PROBE = new CommandEvent();

    private CommandEvent() {}

    /**
     * Begins an event if a recording enables it.
     *
     * @param worker the id of the worker
     * @param plugin the id of the plugin
     * @param payload the size of the command in bytes
     * @return the event of a command that is about to be submitted; null if no recording enables it
     */
    public static @Nullable CommandEvent begin(long worker, long plugin, long payload) {
        if (!PROBE.isEnabled()) {
            return null;
        }
        var event = new CommandEvent();
        event.worker = worker;
        event.plugin = plugin;
        event.payload = payload;
        event.begin();
        return event;
    }

    /**
     * Ends the event and records it.
     *
     * @param ended the status with which the command completed, or {@link #ABANDONED}
     * @param responseLength the size of the response in bytes
     */
    public void end(String ended, long responseLength) {
        end();
        status = ended;
        response = responseLength;
        commit();
    }
}

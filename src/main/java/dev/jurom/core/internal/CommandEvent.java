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
 * A command, from its submit to its completion, or until its task is given up. Off unless a
 * recording asks for it.
 */
@Name("dev.jurom.Command")
@Label("UROM Command")
@Category("jurom")
@Description("A command of a worker, from submit until it completes or is given up")
@Enabled(false)
@StackTrace(false)
public final class CommandEvent extends Event {

    /** The worker's id. */
    @Label("Worker")
    @Unsigned
    public long worker;

    /** The plugin's id. */
    @Label("Plugin")
    @Unsigned
    public long plugin;

    /** Bytes of the command. */
    @Label("Payload")
    @DataAmount
    public long payload;

    /** Bytes of the answer. */
    @Label("Response")
    @DataAmount
    public long response;

    /** How it ended. */
    @Label("Status")
    public @Nullable String status;

    /** Makes an event that has not begun. */
    public CommandEvent() {}
}

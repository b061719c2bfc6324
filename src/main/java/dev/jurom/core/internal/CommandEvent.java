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

    /** Creates an event that has not begun. */
    public CommandEvent() {}
}

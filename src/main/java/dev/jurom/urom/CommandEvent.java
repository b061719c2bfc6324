// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

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
final class CommandEvent extends Event {

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
    @Nullable String status;
}

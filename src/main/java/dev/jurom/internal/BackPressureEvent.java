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
final class BackPressureEvent extends Event {

    @Label("Worker")
    @Unsigned
    long worker;

    @Label("Commands in Flight")
    int commands;

    @Label("In Time")
    @Description("Whether a command completed before the thread gave up")
    boolean inTime;
}

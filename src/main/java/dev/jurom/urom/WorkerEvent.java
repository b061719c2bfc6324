// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import jdk.jfr.Category;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;
import jdk.jfr.Unsigned;

/** Common fields of the events of a worker. The events are disabled unless a recording enables them. */
@Category("jurom")
@Enabled(false)
@StackTrace(false)
abstract sealed class WorkerEvent extends Event permits WorkerStartEvent, WorkerStopEvent {

    @Label("Worker")
    @Unsigned
    long worker;
}

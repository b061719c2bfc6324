// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The start of a worker context: from idle to running, or back to idle if it fails. */
@Name("dev.jurom.WorkerStart")
@Label("UROM Worker Start")
@Description("A worker context, from the start to running")
final class WorkerStartEvent extends WorkerEvent {

    @Label("Running")
    boolean running;
}

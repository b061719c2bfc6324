// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The stop of a worker context, from running to idle, after a stop or the exit of its process. */
@Name("dev.jurom.WorkerStop")
@Label("UROM Worker Stop")
@Description("A worker context, from the stop, or the exit of its process, to idle")
final class WorkerStopEvent extends WorkerEvent {}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A worker context's way from running to idle: it was stopped, or its process has ended. */
@Name("dev.jurom.WorkerStop")
@Label("UROM Worker Stop")
@Description("A worker context, from the stop, or its worker's end, to idle")
final class WorkerStopEvent extends WorkerEvent {}

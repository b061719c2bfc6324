// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import jdk.jfr.FlightRecorder;

/** The state of JDK Flight Recorder. Thread-safe. */
public final class FlightRecording {

    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /**
     * Returns whether recordings may exist. Only then are classes of events to be loaded: an AOT cache does not contain
     * them, and the first one takes about 50 ms.
     *
     * @return false also if the Java runtime lacks the module {@code jdk.jfr}
     */
    public static boolean isPossible() {
        return PRESENT && FlightRecorder.isInitialized();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.agent;

import dev.jurom.proof.faults.FaultPoints;
import dev.jurom.proof.faults.FaultTable;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;

/** What a JVM does with {@code -javaagent:jurom-faults-agent.jar} before its program begins. */
public final class FaultAgent {

    private FaultAgent() {
    }

    /**
     * Weaves the daemon's fault points into the classes that are loaded from now on.
     *
     * @throws IOException if {@code JUROM_FAULTS} names no table; the JVM ends then
     */
    public static void premain(String arguments, Instrumentation instrumentation)
            throws IOException {
        var file = System.getenv(FaultTable.VARIABLE);
        if (file == null || file.isEmpty()) {
            System.err.println("faults: " + FaultTable.VARIABLE + " names no table, so that"
                    + " nothing happens at the fault points of the daemon");
            return;
        }
        var points = FaultPoints.ofDaemon();
        FaultReach.begin(FaultTable.open(Path.of(file)), points);
        instrumentation.addTransformer(new WeavingTransformer(new Weaver(points)));
    }
}

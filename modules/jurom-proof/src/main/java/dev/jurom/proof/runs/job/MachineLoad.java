// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The load of the machine, which extends timeouts. */
final class MachineLoad {

    private static final Path LOAD = Path.of("/proc/loadavg");
    private static final int USUAL = 6; // runnable threads per core that the runs themselves cause
    private static final int MOST = 6;

    private MachineLoad() {}

    /** Extends a timeout according to the current load. */
    static Duration scale(Duration usual) {
        return usual.multipliedBy(
                Math.clamp(Math.round(load() / (USUAL * Runtime.getRuntime().availableProcessors())), 1, MOST));
    }

    private static double load() {
        try {
            return Double.parseDouble(Files.readString(LOAD).split(" ")[0]);
        } catch (IOException e) {
            return 0; // not available
        }
    }
}

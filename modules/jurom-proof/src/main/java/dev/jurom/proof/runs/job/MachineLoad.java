// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The load of the machine, which extends timeouts. */
final class MachineLoad {

    private static final Path LOAD = Path.of("/proc/loadavg");
    private static final int RUNNABLE = 3; // the index of the number of runnable threads
    private static final int USUAL = 6; // runnable threads per core that the runs themselves cause
    private static final int MOST = 6;
    private static final int MOST_WAITING = 20;

    private MachineLoad() {}

    /** Extends a timeout if the load exceeds that of the runs themselves. */
    static Duration scale(Duration usual) {
        return usual.multipliedBy(Math.clamp(Math.round(perCore() / USUAL), 1, MOST));
    }

    /** Extends the deadline of a process that waits for a core together with all other runnable threads. */
    static Duration scaleByWaiting(Duration usual) {
        return usual.multipliedBy(Math.clamp(Math.round(perCore()), 1, MOST_WAITING));
    }

    private static double perCore() {
        return load() / Runtime.getRuntime().availableProcessors();
    }

    private static double load() {
        try {
            var words = Files.readString(LOAD).split("[ /]");
            return Math.max(Double.parseDouble(words[0]), Double.parseDouble(words[RUNNABLE]));
        } catch (IOException e) {
            return 0; // not available
        }
    }
}

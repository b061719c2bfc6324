// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Extends timeouts according to the load of the machine. */
final class MachineLoad {

    private static final Path LOAD = Path.of("/proc/loadavg");
    private static final int RUNNABLE = 3; // the index of the number of runnable threads
    private static final int USUAL_PER_CORE = 6; // runnable threads per core that the runs cause
    private static final int MAX_FACTOR = 6;
    private static final int MAX_WAITING_FACTOR = 20;

    private MachineLoad() {}

    /** Returns a timeout, extended if the load exceeds the load that the runs cause. */
    static Duration scale(Duration usual) {
        return usual.multipliedBy(Math.clamp(Math.round(perCore() / USUAL_PER_CORE), 1, MAX_FACTOR));
    }

    /**
     * Returns the timeout of a process that competes for a core with all runnable threads, extended by their
     * number.
     */
    static Duration scaleByWaiting(Duration usual) {
        return usual.multipliedBy(Math.clamp(Math.round(perCore()), 1, MAX_WAITING_FACTOR));
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

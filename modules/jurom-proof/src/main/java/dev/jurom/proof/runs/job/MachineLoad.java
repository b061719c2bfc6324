// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** How much else this machine has to do: what is late on a machine of its own is not on a busy one. */
final class MachineLoad {

    private static final Path LOAD = Path.of("/proc/loadavg");
    private static final int USUAL = 6; // that want to run, a core: what runs are by themselves
    private static final int MOST = 6;

    private MachineLoad() {}

    /** As much longer as it may take just now. */
    static Duration allows(Duration usual) {
        return usual.multipliedBy(
                Math.clamp(Math.round(load() / (USUAL * Runtime.getRuntime().availableProcessors())), 1, MOST));
    }

    private static double load() {
        try {
            return Double.parseDouble(Files.readString(LOAD).split(" ")[0]);
        } catch (IOException e) {
            return 0; // it does not say so
        }
    }
}

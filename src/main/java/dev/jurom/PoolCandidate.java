// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import org.jspecify.annotations.Nullable;

/** A worker that can be chosen for a command. */
interface PoolCandidate {

    boolean isRunning();

    /** Returns the number of commands that wait for it or occupy it. */
    int load();

    /** Returns the first of the running candidates with the fewest commands; null if none runs. */
    static <T extends PoolCandidate> @Nullable T fewest(T[] candidates) {
        T chosen = null;
        var fewest = 0;
        for (var candidate : candidates) {
            if (candidate.isRunning()) {
                var load = candidate.load();
                if (chosen == null || load < fewest) {
                    chosen = candidate;
                    fewest = load;
                }
            }
        }
        return chosen;
    }
}

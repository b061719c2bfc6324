// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import dev.jurom.service.linux.RunningProcess;

/**
 * A worker whose counters are to be read, as its service reports it.
 *
 * @param number the id of the worker
 * @param process the id of its process
 * @param processStart the start time of that process, in clock ticks after boot
 */
public record CountedWorker(long number, long process, long processStart) {

    /** Returns whether the process is still that of the worker. */
    boolean isAlive() {
        return processStart != 0 && RunningProcess.startOf(process) == processStart;
    }
}

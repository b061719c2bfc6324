// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

/**
 * The end of a worker process.
 *
 * @param exitStatus its exit code, or 128 plus the signal
 * @param unresponsive whether it was killed because it did not answer
 * @param why the rest of a sentence that begins with "The worker"
 */
record WorkerEnd(int exitStatus, boolean unresponsive, String why) {

    /** The exit status if the process could not be started. */
    static final int NO_PROCESS = -1;

    static final WorkerEnd NONE = new WorkerEnd(NO_PROCESS, false, "");

    WorkerEnd because(String reason) {
        return new WorkerEnd(exitStatus, unresponsive, reason);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/**
 * A worker that a host starts, or shares with others, and the commands that it gives it.
 *
 * @param id which worker: hosts that name the same one share it
 * @param commands how many
 * @param depth how many are in flight at a time
 * @param bytes of the longest, beyond the fixed part
 * @param batch how many are submitted before they are flushed
 */
public record WorkerPlan(long id, int commands, int depth, int bytes, int batch) {

    /** As in a host's line. */
    String text() {
        return "%d:%d:%d:%d:%d".formatted(id, commands, depth, bytes, batch);
    }

    static WorkerPlan parse(String text) {
        var numbers = text.split(":");
        return new WorkerPlan(
                Long.parseLong(numbers[0]),
                Integer.parseInt(numbers[1]),
                Integer.parseInt(numbers[2]),
                Integer.parseInt(numbers[3]),
                Integer.parseInt(numbers[4]));
    }
}

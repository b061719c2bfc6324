// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/**
 * A worker that a host starts or shares, and the commands that it submits to it.
 *
 * @param id the worker id; hosts with the same id share the worker
 * @param commands the number of commands
 * @param depth the maximum number in flight
 * @param bytes the maximum length in addition to the fixed part
 * @param batch the number of commands between flushes
 */
public record WorkerPlan(long id, int commands, int depth, int bytes, int batch) {

    /** Returns the text in the line of a host. */
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

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

/**
 * A worker that a host starts or shares, and the commands that it submits to it.
 *
 * @param id the worker id; hosts with the same id share the worker
 * @param commands the number of commands
 * @param depth the maximum number of commands in flight
 * @param bytes the maximum length of a command after its fixed part
 * @param batch the number of commands between flushes
 * @param plugin the name of the plugin, which returns commands unchanged
 */
public record WorkerPlan(long id, int commands, int depth, int bytes, int batch, String plugin) {

    /** The name of the plugin in C. */
    public static final String C_PLUGIN = "worker_graph";
    /** The name of the plugin in Java. */
    public static final String JAVA_PLUGIN = "worker_echo";

    /** Returns the text in the line of a host. */
    String text() {
        return "%d:%d:%d:%d:%d:%s".formatted(id, commands, depth, bytes, batch, plugin);
    }

    static WorkerPlan parse(String text) {
        var words = text.split(":");
        return new WorkerPlan(
                Long.parseLong(words[0]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                words[5]);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin;

import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.core.internal.Timeout;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromWorker;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs a single command on the thread of the worker's engine and waits for its answer. For host sides
 * of plugins and for occasional commands; reuse tasks for frequent ones.
 */
public final class BlockingCall {

    private BlockingCall() {}

    /**
     * Creates a task, submits it, progresses the worker's engine until the task completes, and closes
     * the task. Blocks for at most the timeout.
     *
     * @param <R> the type of the answer
     * @param worker a running worker of the current thread
     * @param plugin the plugin that runs the command
     * @param filler writes the command and sets its length
     * @param reader reads the answer of the completed task, which may have failed; the task is closed
     *         afterwards
     * @param timeout the maximum time to wait for the completion
     * @return the result of the reader
     * @throws DocaException with {@code TIME_OUT} if the command does not complete in time; its task
     *         is closed and remains in flight. Otherwise as {@link CommandTask}
     */
    public static <R> R run(
            UromWorker worker,
            PluginInfo plugin,
            Consumer<CommandTask> filler,
            Function<CommandTask, R> reader,
            Duration timeout) {
        try (var task = worker.commandTask(plugin)) {
            filler.accept(task);
            task.submit();
            if (!worker.engine().progressUntil(task::isCompleted, timeout)) {
                throw new DocaException(
                        DocaError.TIME_OUT,
                        "doca_task_submit",
                        task.toString(),
                        "The worker did not answer within " + Timeout.text(timeout) + ".");
            }
            return reader.apply(task);
        }
    }
}

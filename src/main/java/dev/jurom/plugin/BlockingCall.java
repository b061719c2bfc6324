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
 * One command that is waited for, in the thread of the worker's engine: for host sides of plugins,
 * and for commands that are given now and then. Many commands are better given through tasks that
 * are used again.
 */
public final class BlockingCall {

    private BlockingCall() {}

    /**
     * Makes a task, submits it, progresses the worker's engine until it completes, and closes it;
     * after a time-out it is given up.
     *
     * @param <R> what is answered
     * @param worker a running worker
     * @param plugin the plugin that runs the command
     * @param filler writes the command and sets its length
     * @param reader reads the answer, also of a command that has failed; the task is closed after
     *         it
     * @param timeout how long to wait
     * @return what the reader gave
     * @throws DocaException with {@code TIME_OUT} if there is no answer in time, or what a
     *         {@link CommandTask} throws
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

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.core.Submission;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Command tasks that are made and closed together, for an engine that changes hands.
 *
 * <p>The views of a task by itself can be used by the thread that made it alone. Those of a pool's
 * tasks can be used by any thread, as long as each byte is used by one at a time: one thread may
 * fill a payload while another has the engine. All other methods of the tasks are for the thread
 * that has the engine. The views end with the pool.
 */
public final class CommandTaskPool implements AutoCloseable {

    private final UromWorker worker;
    private final Arena views = Arena.ofShared();
    private final List<CommandTask> tasks = new ArrayList<>();

    CommandTaskPool(UromWorker worker, long plugin, int size) {
        this.worker = worker;
        try {
            for (var i = 0; i < size; i++) {
                tasks.add(CommandTask.pooled(worker, plugin, views));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * The tasks.
     *
     * @return as many as were asked for, for life
     */
    public List<CommandTask> tasks() {
        return List.copyOf(tasks);
    }

    /**
     * Makes room to submit all of these tasks in one call.
     *
     * @return a new submission, for the thread that has the engine
     */
    public Submission submission() {
        return Submission.create(worker.engine(), tasks.size());
    }

    /**
     * Closes all tasks and ends their views; those in flight are given up, as {@link
     * CommandTask#close()} has it. No effect if that was done.
     *
     * @throws WrongThreadException if the worker's engine belongs to another thread
     */
    @Override
    public void close() {
        if (!views.scope().isAlive()) {
            return;
        }
        tasks.forEach(CommandTask::closePooled);
        views.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.core.Submission;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Command tasks that are created and closed together, for an engine whose ownership changes between
 * threads.
 *
 * <p>The views of a task outside a pool may be accessed only by the thread that created the task.
 * The views of the tasks of a pool may be accessed by any thread, if no two threads access the same
 * bytes at the same time: one thread can fill a payload while another owns the engine. Only the
 * thread that owns the engine may call the methods of the tasks. The lifetime of the views ends
 * with the pool.
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
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Returns the tasks.
     *
     * @return all tasks of this pool, always the same
     */
    public List<CommandTask> tasks() {
        return List.copyOf(tasks);
    }

    /**
     * Creates a submission with room for all tasks of this pool.
     *
     * @return a new submission, for the thread that owns the engine
     */
    public Submission submission() {
        return Submission.create(worker.engine(), tasks.size());
    }

    /**
     * Closes all tasks and ends their views. Tasks in flight are abandoned, as by
     * {@link CommandTask#close()}. Has no effect if this pool is closed.
     *
     * @throws WrongThreadException if another thread owns the engine of the worker
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

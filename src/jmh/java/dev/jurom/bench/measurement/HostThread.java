// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.core.ProgressEngine;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.UromWorker;

/**
 * The engine, the worker and the tasks of one thread. Each method must be called by that thread.
 */
final class HostThread {

    private static final int AT_ONCE = 32; // callbacks

    private ProgressEngine engine;
    private UromWorker worker;
    private CommandTask[] tasks;
    private long submitted;
    private long completed;
    private long limit; // total number of commands to submit

    void open(ExplicitHost host, MeasurementOptions options) {
        engine = ProgressEngine.create();
        worker = ExplicitHost.startWorker(engine, host.service(), host.plugin(), options.depth, -1);
        tasks = new CommandTask[options.depth];
        for (var i = 0; i < tasks.length; i++) {
            tasks[i] = ExplicitHost.task(worker, host.plugin(), options.size).onCompletion(this::completed);
        }
    }

    void stream(int count) {
        limit += count;
        for (var i = 0; i < tasks.length && submitted < limit; i++) {
            ExplicitHost.submit(tasks[i], ++submitted);
        }
        while (completed < limit) {
            engine.progress(AT_ONCE);
        }
    }

    private void completed(CommandTask task) {
        task.requireSuccess();
        completed++;
        if (submitted < limit) {
            ExplicitHost.submit(task, ++submitted);
        }
    }

    void close() {
        for (var task : tasks) {
            task.close();
        }
        worker.stopAndWait(ExplicitHost.DEADLINE);
        worker.close();
        engine.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A worker of the explicit API whose tasks are resubmitted on completion. */
final class Pipeline implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final UromWorker worker;
    private final List<CommandTask> tasks = new ArrayList<>();
    private long left; // to be submitted
    private int inFlight;

    private Pipeline(UromWorker worker) {
        this.worker = worker;
    }

    static Pipeline open(UromService service, long id, int depth) {
        var plugin = GraphPlugin.find(service);
        var worker = UromWorker.create(service.engine(), service)
                .setId(id)
                .setPlugins(plugin)
                .setMaxTasks(depth);
        try {
            worker.startAndWait(TIMEOUT);
        } catch (RuntimeException e) {
            worker.close();
            throw e;
        }
        var pipeline = new Pipeline(worker);
        for (var i = 0; i < depth; i++) {
            pipeline.tasks.add(worker.commandTask(plugin).onCompletion(pipeline::completed));
        }
        return pipeline;
    }

    /** Submits the given number of commands and waits for all answers. */
    void run(long count) {
        left = count;
        tasks.forEach(this::submit);
        if (!worker.engine().progressUntil(() -> inFlight == 0, TIMEOUT)) {
            throw new IllegalStateException("HANG: no answer within " + TIMEOUT);
        }
    }

    private void submit(CommandTask task) {
        if (left > 0) {
            left--;
            task.setPayloadLength(GraphCodec.packLoopback(left, task.payload()));
            task.userData().set(ValueLayout.JAVA_LONG, 0, left);
            task.submit();
            inFlight++;
        }
    }

    private void completed(CommandTask task) {
        inFlight--;
        task.requireSuccess();
        var sent = task.userData().get(ValueLayout.JAVA_LONG, 0);
        if (GraphCodec.loopbackData(task.response()) != sent) {
            throw new IllegalStateException("WRONG: a worker did not answer " + sent);
        }
        submit(task);
    }

    @Override
    public void close() {
        tasks.forEach(CommandTask::close);
        worker.close();
    }
}

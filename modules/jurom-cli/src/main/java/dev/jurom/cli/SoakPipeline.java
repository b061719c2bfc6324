// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A worker of the explicit interface that is given commands, each task again when it completes. */
final class SoakPipeline implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final UromWorker worker;
    private final List<CommandTask> tasks = new ArrayList<>();
    private long left; // to be submitted
    private int inFlight;

    private SoakPipeline(UromWorker worker) {
        this.worker = worker;
    }

    static SoakPipeline open(UromService service, int depth, Map<String, String> environment) {
        var plugin = GraphPlugin.find(service);
        var worker = UromWorker.create(service.engine(), service)
                .setPlugins(plugin).setMaxTasks(depth).setEnvironment(environment);
        worker.startAndWait(TIMEOUT);
        var pipeline = new SoakPipeline(worker);
        for (var i = 0; i < depth; i++) {
            pipeline.tasks.add(worker.commandTask(plugin).onCompletion(pipeline::completed));
        }
        return pipeline;
    }

    /** Gives so many commands and waits for all answers. */
    void run(long count) {
        left = count;
        tasks.forEach(this::submit);
        while (inFlight > 0) {
            worker.engine().progress();
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
            throw new IllegalStateException("The worker did not answer " + sent);
        }
        submit(task);
    }

    @Override
    public void close() {
        tasks.forEach(CommandTask::close);
        worker.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.urom.CommandTask;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;

/** Loopback commands at a fixed rate through the explicit API. */
final class PacedLoopback implements PacedSender {

    private final ExplicitHost host;
    private final ArrayDeque<CommandTask> free = new ArrayDeque<>();
    private final Answers answers;
    private long value;

    PacedLoopback(MeasurementOptions options, Answers answers) {
        this.answers = answers;
        host = new ExplicitHost(options.messageSize, options.depth, options.peerCore());
        for (var i = 0; i < options.depth; i++) {
            free.add(host.task(options.size).onCompletion(this::completed));
        }
    }

    @Override
    public boolean trySend(long dueNanos) {
        var task = free.poll();
        if (task == null) {
            return false;
        }
        task.userData().set(ValueLayout.JAVA_LONG, 0, dueNanos);
        ExplicitHost.submit(task, ++value);
        return true;
    }

    private void completed(CommandTask task) {
        task.requireSuccess();
        answers.arrived(task.userData().get(ValueLayout.JAVA_LONG, 0));
        free.add(task);
    }

    @Override
    public void poll() {
        host.engine().progress();
    }

    @Override
    public void close() {
        free.forEach(CommandTask::close);
        host.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.urom.CommandTask;
import java.lang.foreign.ValueLayout;

/** Loopback commands over the explicit interface, one at a time or several; as urom_loopback.c. */
final class LoopbackMeasurement implements Measurement {

    private final ExplicitHost host;
    private final CommandTask[] tasks;
    private final boolean oneByOne;
    private long submitted;
    private long completed;
    private long limit; // how many to submit in all

    LoopbackMeasurement(MeasurementOptions options) {
        host = new ExplicitHost(options.messageSize, options.depth, options.peerCore());
        oneByOne = options.depth == 1;
        tasks = new CommandTask[options.depth];
        for (var i = 0; i < tasks.length; i++) {
            tasks[i] = host.task(options.size);
            if (!oneByOne) {
                tasks[i].onCompletion(this::completed);
            }
        }
    }

    @Override
    public long run(long[] samples, int count) {
        return oneByOne ? Measurement.each(this::roundTrip, samples, count)
                : Measurement.stream(this::stream, samples, count);
    }

    private void roundTrip() {
        var task = tasks[0];
        ExplicitHost.submit(task, ++submitted);
        while (!host.engine().progress()) {
            // look again
        }
        ExplicitHost.requireAnswer(task, submitted);
    }

    private void stream(int count) {
        limit += count;
        for (var i = 0; i < tasks.length && submitted < limit; i++) {
            submit(tasks[i]);
        }
        while (completed < limit) {
            host.engine().progress();
        }
    }

    private void submit(CommandTask task) {
        task.userData().set(ValueLayout.JAVA_LONG, 0, ++submitted);
        ExplicitHost.submit(task, submitted);
    }

    private void completed(CommandTask task) {
        ExplicitHost.requireAnswer(task,
                task.userData().get(ValueLayout.JAVA_LONG, 0));
        completed++;
        if (submitted < limit) {
            submit(task);
        }
    }

    @Override
    public void close() {
        for (var task : tasks) {
            task.close();
        }
        host.close();
    }
}

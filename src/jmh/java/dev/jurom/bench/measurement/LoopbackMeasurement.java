// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.core.Submission;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.CommandTaskPool;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Loopback commands through the explicit API, one at a time or several in flight, flushed individually or in
 * batches; the counterpart of urom_loopback.c.
 */
final class LoopbackMeasurement implements Measurement {

    private static final int AT_ONCE = 32; // callbacks

    private final ExplicitHost host;
    private final CommandTaskPool pool;
    private final CommandTask[] tasks;
    private final boolean oneByOne;
    private final boolean inBatches;
    private final boolean awaitsAll; // before it submits again
    private final Submission batch;
    private int depth; // number of tasks in use
    private long submitted;
    private long completed;
    private long limit; // total number of commands to submit

    LoopbackMeasurement(MeasurementOptions options) {
        host = new ExplicitHost(options.messageSize, options.depth, options.peerCore());
        oneByOne = options.depth == 1;
        inBatches = options.batch > 1;
        awaitsAll = options.awaitsAll;
        batch = Submission.create(host.engine(), options.batch);
        depth = options.depth;
        pool = oneByOne ? null : host.pool(options.size, depth);
        tasks = oneByOne
                ? new CommandTask[] {host.task(options.size)}
                : pool.tasks().toArray(CommandTask[]::new);
        if (!oneByOne) {
            Consumer<CommandTask> completed = this::completed;
            pool.tasks().forEach(task -> task.onCompletion(completed));
        }
    }

    @Override
    public void change(String what, int value) {
        if (what.equals("depth")) {
            depth = Objects.checkIndex(value - 1, tasks.length) + 1;
        } else {
            for (var task : tasks) {
                task.setPayloadLength(ExplicitHost.commandLength(value));
            }
        }
    }

    @Override
    public long run(long[] samples, int count) {
        if (oneByOne) {
            return Measurement.each(this::roundTrip, samples, count);
        }
        return Measurement.stream(awaitsAll ? this::streamInTurns : this::stream, count);
    }

    private void roundTrip() {
        var task = tasks[0];
        ExplicitHost.submit(task, ++submitted);
        while (!host.engine().progress()) {
            // poll again
        }
        ExplicitHost.requireAnswer(task, submitted);
    }

    private void streamInTurns(int count) {
        for (var done = 0; done < count; done += depth) {
            stream(Math.min(depth, count - done));
        }
    }

    private void stream(int count) {
        limit += count;
        for (var i = 0; i < depth && submitted < limit; i++) {
            submit(tasks[i], tasks[i].payload());
        }
        batch.submit();
        while (completed < limit) {
            host.engine().progress(AT_ONCE);
            batch.submit();
        }
    }

    private void submit(CommandTask task, MemorySegment payload) {
        GraphCodec.packLoopback(++submitted, payload);
        if (!inBatches) {
            task.submit();
        } else if (batch.add(task).isFull()) {
            batch.submit();
        }
    }

    private void completed(CommandTask task) {
        var payload = task.payload();
        ExplicitHost.requireAnswer(task, ExplicitHost.value(payload));
        completed++;
        if (submitted < limit) {
            submit(task, payload);
        }
    }

    @Override
    public void close() {
        if (oneByOne) {
            tasks[0].close();
        } else {
            pool.close();
        }
        host.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.jmh;

import dev.jurom.bench.measurement.ExplicitHost;
import dev.jurom.bench.rig.Transport;
import dev.jurom.core.Submission;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.CommandTask;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Loopback commands of 8 bytes, several in flight: the average time per command. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PipelineBenchmark {

    private static final int SIZE = 8;
    private static final int COMMANDS = 4096;

    /** Number of commands in flight. */
    @Param({"1", "8", "32", "128"})
    public int depth;

    /** The transport of the commands. */
    @Param
    public Transport transport;

    private Host host;
    private CommandTask[] tasks;
    private Submission batch;
    private boolean inBatches;
    private int submitted;
    private int completed;

    /** Called by JMH. */
    public PipelineBenchmark() {}

    /** Starts a service and a worker. */
    @Setup
    public void open() {
        host = new Host(transport, SIZE, depth);
        batch = Submission.create(host.explicit().engine(), depth);
        tasks = new CommandTask[depth];
        for (var i = 0; i < depth; i++) {
            tasks[i] = host.explicit().task(SIZE).onCompletion(this::completed);
        }
    }

    /** Flushes each command and receives one answer per poll. */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public void oneByOne() {
        execute(1, false);
    }

    /** Flushes each command and receives all available answers per poll. */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public void drained() {
        execute(depth, false);
    }

    /** Submits commands in batches and receives all available answers per poll. */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public void inBatches() {
        execute(depth, true);
    }

    private void execute(int atOnce, boolean together) {
        inBatches = together;
        submitted = 0;
        completed = 0;
        for (var task : tasks) {
            submit(task);
        }
        batch.submit();
        while (completed < COMMANDS) {
            host.explicit().engine().progress(atOnce);
            batch.submit();
        }
    }

    private void submit(CommandTask task) {
        if (!inBatches) {
            ExplicitHost.submit(task, submitted++);
            return;
        }
        GraphCodec.packLoopback(submitted++, task.payload());
        batch.add(task);
    }

    private void completed(CommandTask task) {
        task.requireSuccess();
        completed++;
        if (submitted < COMMANDS) {
            submit(task);
        }
    }

    /** Stops the worker and the service. */
    @TearDown
    public void close() {
        for (var task : tasks) {
            task.close();
        }
        host.close();
    }
}

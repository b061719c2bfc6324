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
import org.openjdk.jmh.annotations.Level;
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

/** The cost of packing and submitting a command, without waiting for the answer. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SubmitBenchmark {

    private static final int SIZE = 8;
    private static final int COMMANDS = 32;

    /** The transport of the commands. */
    @Param
    public Transport transport;

    private Host host;
    private final CommandTask[] tasks = new CommandTask[COMMANDS];
    private Submission batch;

    /** Called by JMH. */
    public SubmitBenchmark() {}

    /** Starts a service and a worker. */
    @Setup
    public void open() {
        host = new Host(transport, SIZE, COMMANDS);
        batch = Submission.create(host.explicit().engine(), COMMANDS);
        for (var i = 0; i < COMMANDS; i++) {
            tasks[i] = host.explicit().task(SIZE);
        }
    }

    /** Submits commands and flushes each. */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public void submit() {
        for (var i = 0; i < COMMANDS; i++) {
            ExplicitHost.submit(tasks[i], i);
        }
    }

    /** Submits commands in one batch. */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public void submitTogether() {
        for (var i = 0; i < COMMANDS; i++) {
            GraphCodec.packLoopback(i, tasks[i].payload());
            batch.add(tasks[i]);
        }
        batch.submit();
    }

    /** Waits for the answers. */
    @TearDown(Level.Invocation)
    public void settle() {
        for (var task : tasks) {
            while (!task.isCompleted()) {
                host.explicit().engine().progress();
            }
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

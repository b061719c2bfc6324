// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.jmh;

import dev.jurom.bench.measurement.ExplicitHost;
import dev.jurom.bench.rig.Transport;
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

/** Loopback commands of 8 bytes, several under way at a time: what one takes of the time of all. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PipelineBenchmark {

    private static final int SIZE = 8;
    private static final int COMMANDS = 4096;

    /** Commands under way at a time. */
    @Param({"1", "8", "32", "128"})
    public int depth;

    /** What carries them. */
    @Param
    public Transport transport;

    private Host host;
    private CommandTask[] tasks;
    private int submitted;
    private int completed;

    /** Made by JMH. */
    public PipelineBenchmark() {
    }

    /** Starts a service and a worker. */
    @Setup
    public void open() {
        host = new Host(transport, SIZE, depth);
        tasks = new CommandTask[depth];
        for (var i = 0; i < depth; i++) {
            tasks[i] = host.explicit().task(SIZE).onCompletion(this::completed);
        }
    }

    /** Carries out many. */
    @Benchmark
    @OperationsPerInvocation(COMMANDS)
    public void commands() {
        submitted = 0;
        completed = 0;
        for (var task : tasks) {
            ExplicitHost.submit(task, submitted++);
        }
        while (completed < COMMANDS) {
            host.explicit().engine().progress();
        }
    }

    private void completed(CommandTask task) {
        task.requireSuccess();
        completed++;
        if (submitted < COMMANDS) {
            ExplicitHost.submit(task, submitted++);
        }
    }

    /** Ends them. */
    @TearDown
    public void close() {
        for (var task : tasks) {
            task.close();
        }
        host.close();
    }
}

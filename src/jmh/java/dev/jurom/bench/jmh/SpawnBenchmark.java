// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.jmh;

import dev.jurom.bench.measurement.ExplicitHost;
import dev.jurom.bench.rig.Transport;
import dev.jurom.urom.UromWorker;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The time from the start of a worker context to the state RUNNING. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class SpawnBenchmark {

    private Host host;
    private UromWorker worker;

    /** Called by JMH. */
    public SpawnBenchmark() {}

    /** Starts a service and a first worker. */
    @Setup
    public void open() {
        host = new Host(Transport.SHARED_MEMORY, 0, 1);
    }

    /** Starts a worker. */
    @Benchmark
    public void spawn() {
        worker = host.explicit().startWorker(1);
    }

    /** Stops the worker. */
    @TearDown(Level.Invocation)
    public void stop() {
        worker.stopAndWait(ExplicitHost.DEADLINE);
        worker.close();
    }

    /** Stops the service. */
    @TearDown
    public void close() {
        host.close();
    }
}

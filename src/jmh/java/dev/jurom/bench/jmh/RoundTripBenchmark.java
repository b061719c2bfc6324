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
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A loopback command there and back, one at a time, over the explicit interface. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RoundTripBenchmark {

    /** Bytes that come back: the command's value, 8 of them, and what follows it. */
    @Param({"8", "64", "1024", "4096", "65536", "1048576"})
    public int size;

    /** What carries them. */
    @Param
    public Transport transport;

    private Host host;
    private CommandTask task;
    private long value;

    /** Made by JMH. */
    public RoundTripBenchmark() {}

    /** Starts a service and a worker. */
    @Setup
    public void open() {
        host = new Host(transport, size, 1);
        task = host.explicit().task(size);
    }

    /** Packs, submits, progresses until the answer is there, and checks it. */
    @Benchmark
    public void roundTrip() {
        ExplicitHost.submit(task, ++value);
        while (!host.explicit().engine().progress()) {
            // look again
        }
        ExplicitHost.requireAnswer(task, value);
    }

    /** Ends them. */
    @TearDown
    public void close() {
        task.close();
        host.close();
    }
}

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

/** Round trip of a loopback command through the explicit API, one at a time. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RoundTripBenchmark {

    /** Size of the answer in bytes, including the value of 8 bytes. */
    @Param({"8", "64", "1024", "4096", "65536", "1048576"})
    public int size;

    /** The transport of the commands. */
    @Param
    public Transport transport;

    private Host host;
    private CommandTask task;
    private long value;

    /** Called by JMH. */
    public RoundTripBenchmark() {}

    /** Starts a service and a worker. */
    @Setup
    public void open() {
        host = new Host(transport, size, 1);
        task = host.explicit().task(size);
    }

    /** Packs and submits a command, progresses until it completes, and checks the answer. */
    @Benchmark
    public void roundTrip() {
        ExplicitHost.submit(task, ++value);
        while (!host.explicit().engine().progress()) {
            // poll again
        }
        ExplicitHost.requireAnswer(task, value);
    }

    /** Stops the worker and the service. */
    @TearDown
    public void close() {
        task.close();
        host.close();
    }
}

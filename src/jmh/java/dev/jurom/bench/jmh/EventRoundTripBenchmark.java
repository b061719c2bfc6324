// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.jmh;

import dev.jurom.bench.measurement.ExplicitHost;
import dev.jurom.bench.rig.Transport;
import dev.jurom.urom.CommandTask;
import java.time.Duration;
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

/** Round trip of a loopback command; the host sleeps until the notification handle is readable. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class EventRoundTripBenchmark {

    private static final Duration LONG = Duration.ofSeconds(1);
    private static final int SIZE = 64;

    /** The transport of the commands. */
    @Param
    public Transport transport;

    private Host host;
    private CommandTask task;
    private long value;

    /** Called by JMH. */
    public EventRoundTripBenchmark() {}

    /** Starts a service and a worker. */
    @Setup
    public void open() {
        host = new Host(transport, SIZE, 1);
        task = host.explicit().task(SIZE);
    }

    /** Submits a command and waits for the event before polling. */
    @Benchmark
    public void roundTrip() {
        var engine = host.explicit().engine();
        ExplicitHost.submit(task, ++value);
        while (!engine.progress()) {
            engine.waitForEvent(LONG);
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

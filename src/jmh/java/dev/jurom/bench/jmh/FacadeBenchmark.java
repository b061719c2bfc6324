// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.jmh;

import dev.jurom.IdleStrategy;
import dev.jurom.bench.measurement.Cores;
import dev.jurom.bench.measurement.FacadeHost;
import dev.jurom.bench.rig.ServiceProcess;
import dev.jurom.bench.rig.Transport;
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

/**
 * Round trip of a loopback command through the facade. The value is in the cache of {@code Long}, so all
 * allocations are those of the facade.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FacadeBenchmark {

    private static final int SIZE = 64;
    private static final long VALUE = 42;

    /** The idle strategy of the thread that drives the engine. */
    @Param
    public IdleStrategy strategy;

    /** The transport of the commands. */
    @Param
    public Transport transport;

    private ServiceProcess service;
    private FacadeHost host;

    /** Called by JMH. */
    public FacadeBenchmark() {}

    /** Starts a service and a worker. */
    @Setup
    public void open() {
        service = Host.start(transport, ServiceProcess.DEFAULT_MESSAGE);
        host = new FacadeHost(strategy, ServiceProcess.DEFAULT_MESSAGE, 1, SIZE, Host.WORKER_CORE);
        Cores.pin(Host.HOST_CORE);
    }

    /** A blocking call. */
    @Benchmark
    public void call() throws InterruptedException {
        FacadeHost.requireAnswer(VALUE, host.worker().call(host.loopback(), VALUE));
    }

    /** A future that is joined immediately. */
    @Benchmark
    public void future() throws InterruptedException {
        FacadeHost.requireAnswer(
                VALUE, host.worker().submit(host.loopback(), VALUE).join());
    }

    /** Stops the worker and the service. */
    @TearDown
    public void close() {
        host.close();
        service.close();
    }
}

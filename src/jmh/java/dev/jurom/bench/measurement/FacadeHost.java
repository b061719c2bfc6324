// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.IdleStrategy;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.CpuSet;

/** A host program of UROM over the facade, with one worker that runs the graph plugin. */
public final class FacadeHost implements AutoCloseable {

    private final Urom urom;
    private final Worker worker;
    private final Offload<Long, Long> loopback;

    /**
     * Connects, and starts a worker.
     *
     * @param strategy what who drives the engine does when there is nothing to do
     * @param maxMessageSize the service's
     * @param tasks how many commands can be under way
     * @param size how many bytes come back
     * @param workerCore where the worker runs; negative: anywhere
     */
    public FacadeHost(IdleStrategy strategy, int maxMessageSize, int tasks, int size, int workerCore) {
        urom = Urom.open(UromConfiguration.builder()
                .idleStrategy(strategy)
                .maxMessageSize(maxMessageSize)
                .build());
        var configuration = WorkerConfiguration.builder(GraphPlugin.NAME).tasks(ExplicitHost.powerOfTwo(tasks));
        if (workerCore >= 0) {
            configuration.cpus(CpuSet.of(workerCore));
        }
        worker = urom.startWorker(configuration.build());
        var length = ExplicitHost.commandLength(size);
        loopback = Offload.of(
                GraphPlugin.NAME,
                GraphPlugin.VERSION,
                (value, payload) -> {
                    GraphCodec.packLoopback(value, payload);
                    return length;
                },
                GraphCodec::loopbackData);
    }

    /**
     * The worker.
     *
     * @return the same for life
     */
    public Worker worker() {
        return worker;
    }

    /**
     * A value there and back, as one of the bytes that were asked for. Small values (to 127) cost
     * no object of the caller's.
     *
     * @return the same for life
     */
    public Offload<Long, Long> loopback() {
        return loopback;
    }

    /**
     * Requires that a value has come back.
     *
     * @param value what was sent
     * @param answer what was answered
     */
    public static void requireAnswer(long value, long answer) {
        if (answer != value) {
            throw new IllegalStateException("Loopback command " + value + " came back as " + answer);
        }
    }

    @Override
    public void close() {
        worker.close();
        urom.close();
    }
}

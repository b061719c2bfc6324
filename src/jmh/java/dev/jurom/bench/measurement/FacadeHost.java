// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.IdleStrategy;
import dev.jurom.PoolConfiguration;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.WorkerPool;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.CpuSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A host program that uses the facade, with one worker for the graph plugin. */
public final class FacadeHost implements AutoCloseable {

    private static final int FIXED = ExplicitHost.commandLength(0);

    private final Urom urom;
    private final WorkerConfiguration configuration;
    private final Worker worker;
    private final Offload<Long, Long> loopback;
    private int length; // of a command

    /**
     * Connects and starts a worker.
     *
     * @param strategy the idle strategy of the thread that drives the engine
     * @param maxMessageSize the maximum message size of the service
     * @param tasks the maximum number of commands in flight
     * @param size the size of the answer in bytes
     * @param workerCore the core of the worker; not pinned if negative
     */
    public FacadeHost(IdleStrategy strategy, int maxMessageSize, int tasks, int size, int workerCore) {
        urom = Urom.open(UromConfiguration.builder()
                .idleStrategy(strategy)
                .maxMessageSize(maxMessageSize)
                .build());
        var builder = WorkerConfiguration.builder(GraphPlugin.NAME).tasks(ExplicitHost.powerOfTwo(tasks));
        if (workerCore >= 0) {
            builder.cpus(CpuSet.of(workerCore));
        }
        configuration = builder.build();
        worker = urom.startWorkerAsync(configuration).join();
        length = ExplicitHost.commandLength(size);
        loopback = Offload.of(GraphPlugin.NAME, GraphPlugin.VERSION, this::pack, GraphCodec::loopbackData);
    }

    private long pack(long value, MemorySegment payload) {
        GraphCodec.packLoopback(value, payload);
        var last = length - 1;
        if (last >= FIXED && payload.get(ValueLayout.JAVA_BYTE, last) != Measurement.FILLING) {
            payload.asSlice(FIXED, length - FIXED).fill(Measurement.FILLING); // so that its pages are allocated
        }
        return length;
    }

    /**
     * Changes the size of the answers.
     *
     * @param size the size in bytes, at most that with which this was created
     */
    void changeSize(int size) {
        length = ExplicitHost.commandLength(size);
    }

    /**
     * Returns the worker.
     *
     * @return the same object on each call
     */
    public Worker worker() {
        return worker;
    }

    /**
     * Closes the worker, and starts a pool of one worker instead.
     *
     * @return the pool
     * @throws InterruptedException if the current thread is interrupted
     */
    public WorkerPool replaceWorkerWithPool() throws InterruptedException {
        worker.close();
        return urom.startPool(PoolConfiguration.builder(configuration).build());
    }

    /**
     * Returns an offload that echoes a value in a command of the requested size. Values up to 127 are in the
     * cache of {@code Long}, so the caller allocates no objects.
     *
     * @return the same object on each call
     */
    public Offload<Long, Long> loopback() {
        return loopback;
    }

    /**
     * Checks that a value was returned.
     *
     * @param value the value that was sent
     * @param answer the value that was returned
     */
    public static void requireAnswer(long value, long answer) {
        if (answer != value) {
            throw new IllegalStateException("loopback command " + value + " returned " + answer);
        }
    }

    @Override
    public void close() {
        worker.close();
        urom.close();
    }
}

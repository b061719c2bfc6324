// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.CommandTaskPool;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * A host program that uses the explicit API: connected to the service named by
 * {@code DOCA_UROM_SERVICE_FILE}, with one worker for the graph plugin.
 */
public final class ExplicitHost implements AutoCloseable {

    /** Maximum time to start or stop a worker. */
    public static final Duration DEADLINE = Duration.ofSeconds(20);

    private static final int VALUE_SIZE = Long.BYTES;
    private static final int COMMAND_SIZE = 16;
    private static final int VALUE_AT = COMMAND_SIZE - VALUE_SIZE;

    private final Device device;
    private final ProgressEngine engine;
    private final UromService service;
    private final PluginInfo plugin;
    private final int workerCore;
    private final UromWorker worker;

    /**
     * Connects and starts a worker.
     *
     * @param maxMessageSize the maximum message size of the service
     * @param tasks the maximum number of commands in flight
     * @param workerCore the core of the worker; not
     * pinned if negative
     */
    public ExplicitHost(int maxMessageSize, int tasks, int workerCore) {
        device = Device.open();
        engine = ProgressEngine.create();
        service = UromService.create(engine, device).setMaxMessageSize(maxMessageSize);
        service.startAndWait(DEADLINE);
        plugin = service.plugin("worker_graph");
        this.workerCore = workerCore;
        worker = startWorker(tasks);
    }

    /**
     * Starts another worker on the same core and engine.
     *
     * @param tasks the maximum number of commands in flight
     * @return a running worker, to be stopped and closed
     */
    public UromWorker startWorker(int tasks) {
        return startWorker(engine, service, plugin, tasks, workerCore);
    }

    /** Starts a worker on an engine that may belong to another thread than the service. */
    static UromWorker startWorker(ProgressEngine engine, UromService service, PluginInfo plugin, int tasks, int core) {
        var worker = UromWorker.create(engine, service).setPlugins(plugin).setMaxTasks(powerOfTwo(tasks));
        if (core >= 0) {
            worker.setCpuSet(CpuSet.of(core));
        }
        worker.startAndWait(DEADLINE);
        return worker;
    }

    /** Returns the smallest power of two that is not less than a positive number. */
    static int powerOfTwo(int number) {
        return Integer.highestOneBit(2 * number - 1);
    }

    /**
     * Returns the engine of all contexts of this host.
     *
     * @return the same object on each call
     */
    public ProgressEngine engine() {
        return engine;
    }

    /**
     * Returns the service.
     *
     * @return the same object on each call
     */
    public UromService service() {
        return service;
    }

    /**
     * Returns the graph plugin.
     *
     * @return the same object on each call
     */
    public PluginInfo plugin() {
        return plugin;
    }

    /**
     * Creates a loopback command for the worker of this host. The payload is written completely, so that its
     * pages are allocated.
     *
     * @param size the size of the answer in bytes, including the value of 8 bytes
     * @return a task with the payload length set
     */
    public CommandTask task(int size) {
        return task(worker, plugin, size);
    }

    static CommandTask task(UromWorker worker, PluginInfo plugin, int size) {
        return prepare(worker.commandTask(plugin), size);
    }

    /** Creates loopback commands for the worker of this host, which are closed together. */
    CommandTaskPool pool(int size, int count) {
        var pool = worker.commandTaskPool(plugin.id(), count);
        pool.tasks().forEach(task -> prepare(task, size));
        return pool;
    }

    private static CommandTask prepare(CommandTask task, int size) {
        task.payload().fill(Measurement.FILLING);
        return task.setPayloadLength(commandLength(size));
    }

    /**
     * Returns the length of a loopback command.
     *
     * @param size the size of the answer in bytes
     * @return the length in bytes; the fixed part has 16
     */
    public static int commandLength(int size) {
        return COMMAND_SIZE + Math.max(0, size - VALUE_SIZE);
    }

    /**
     * Packs and submits a loopback command.
     *
     * @param task a task that is not in flight
     * @param value the value to send
     */
    public static void submit(CommandTask task, long value) {
        GraphCodec.packLoopback(value, task.payload());
        task.submit();
    }

    /**
     * Returns the value of a loopback command.
     *
     * @param payload the payload that was sent
     * @return the value
     */
    static long value(MemorySegment payload) {
        return payload.get(ValueLayout.JAVA_LONG_UNALIGNED, VALUE_AT);
    }

    /**
     * Checks that a loopback command succeeded and returned its value.
     *
     * @param task a completed task
     * @param value the value that was sent
     */
    public static void requireAnswer(CommandTask task, long value) {
        task.requireSuccess();
        var answer = GraphCodec.loopbackData(task.response());
        if (answer != value) {
            throw new IllegalStateException("loopback command " + value + " returned " + answer);
        }
    }

    @Override
    public void close() {
        worker.stopAndWait(DEADLINE);
        worker.close();
        service.stopAndWait(DEADLINE);
        service.close();
        engine.close();
        device.close();
    }
}

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
 * A host program of UROM over the explicit interface: connected to the service that
 * {@code DOCA_UROM_SERVICE_FILE} names, with one worker that runs the graph plugin.
 */
public final class ExplicitHost implements AutoCloseable {

    /** How long a worker may take to start or stop. */
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
     * Connects, and starts a worker.
     *
     * @param maxMessageSize the service's
     * @param tasks how many commands can be under way
     * @param workerCore where the worker runs; negative: anywhere
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
     * Starts one more worker, on the same core and engine.
     *
     * @param tasks how many commands can be under way
     * @return a running worker, to be stopped and closed
     */
    public UromWorker startWorker(int tasks) {
        return startWorker(engine, service, plugin, tasks, workerCore);
    }

    /** Starts a worker on an engine that may be another thread's than the service's. */
    static UromWorker startWorker(ProgressEngine engine, UromService service, PluginInfo plugin, int tasks, int core) {
        var worker = UromWorker.create(engine, service).setPlugins(plugin).setMaxTasks(powerOfTwo(tasks));
        if (core >= 0) {
            worker.setCpuSet(CpuSet.of(core));
        }
        worker.startAndWait(DEADLINE);
        return worker;
    }

    /** The least power of two that is not less than a number from 1. */
    static int powerOfTwo(int number) {
        return Integer.highestOneBit(2 * number - 1);
    }

    /**
     * The engine that everything of this host belongs to.
     *
     * @return the same for life
     */
    public ProgressEngine engine() {
        return engine;
    }

    /**
     * The service.
     *
     * @return the same for life
     */
    public UromService service() {
        return service;
    }

    /**
     * The graph plugin.
     *
     * @return the same for life
     */
    public PluginInfo plugin() {
        return plugin;
    }

    /**
     * Makes a loopback command for this host's worker. All of its payload has been written, so that
     * it is memory of its own.
     *
     * @param size how many bytes come back: the command's value, 8 of them, and what follows it
     * @return a task whose payload has its length
     */
    public CommandTask task(int size) {
        return task(worker, plugin, size);
    }

    static CommandTask task(UromWorker worker, PluginInfo plugin, int size) {
        return prepare(worker.commandTask(plugin), size);
    }

    /** Makes loopback commands for this host's worker, which are closed together. */
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
     * The length of a loopback command.
     *
     * @param size how many bytes come back
     * @return bytes; the fixed command alone has 16
     */
    public static int commandLength(int size) {
        return COMMAND_SIZE + Math.max(0, size - VALUE_SIZE);
    }

    /**
     * Packs and submits a loopback command.
     *
     * @param task a task that is not in flight
     * @param value what to send
     */
    public static void submit(CommandTask task, long value) {
        GraphCodec.packLoopback(value, task.payload());
        task.submit();
    }

    /**
     * Reads the value of a loopback command.
     *
     * @param payload what was sent
     * @return the value
     */
    static long value(MemorySegment payload) {
        return payload.get(ValueLayout.JAVA_LONG_UNALIGNED, VALUE_AT);
    }

    /**
     * Requires that a loopback command has succeeded and brought its value back.
     *
     * @param task a completed task
     * @param value what was sent
     */
    public static void requireAnswer(CommandTask task, long value) {
        task.requireSuccess();
        var answer = GraphCodec.loopbackData(task.response());
        if (answer != value) {
            throw new IllegalStateException("Loopback command " + value + " came back as " + answer);
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

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.testing;

import dev.jurom.EmbeddedService;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.RuntimeKind;
import dev.jurom.service.DaemonConfiguration;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What a test of workers needs: a service (an embedded one, or on the vendor's library the one that
 * the environment names), with a running service context on an engine of the calling thread. The
 * same one everywhere.
 */
public final class ServiceFixture implements AutoCloseable {

    /** How long anything may take before a test fails. */
    public static final Duration DEADLINE = Duration.ofSeconds(30);

    private final EmbeddedService embedded; // null on the vendor's library
    private final ProgressEngine engine = ProgressEngine.create();
    private final Device device = Device.open();
    private final UromService service;
    private final PluginInfo graph;

    private ServiceFixture(EmbeddedService embedded, long maxMessageSize) {
        this.embedded = embedded;
        service = UromService.create(engine, device).setMaxMessageSize(maxMessageSize);
        service.start();
        graph = GraphPlugin.find(service);
    }

    /** Opens a service as it is by default. */
    public static ServiceFixture open() {
        return open(UnaryOperator.identity(), UromService.DEFAULT_MAX_MESSAGE_SIZE);
    }

    /** Opens an embedded service that is like the usual one but for some changes. */
    public static ServiceFixture open(UnaryOperator<DaemonConfiguration> change) {
        return open(change, UromService.DEFAULT_MAX_MESSAGE_SIZE);
    }

    /** Opens an embedded service with a maximum message size. */
    public static ServiceFixture open(int maxMessageSize) {
        return open(configuration -> configuration.withMaxMessageSize(maxMessageSize),
                maxMessageSize);
    }

    private static ServiceFixture open(UnaryOperator<DaemonConfiguration> change, int size) {
        if (DocaRuntime.current().kind() == RuntimeKind.VENDOR) {
            return new ServiceFixture(null, size);
        }
        var embedded = EmbeddedService.open(change);
        try {
            return new ServiceFixture(embedded, size);
        } catch (RuntimeException e) {
            embedded.close();
            throw e;
        }
    }

    /** The engine of the thread that opened this. */
    public ProgressEngine engine() {
        return engine;
    }

    /** The device. */
    public Device device() {
        return device;
    }

    /** The service context, which runs. */
    public UromService service() {
        return service;
    }

    /** The embedded service. */
    public EmbeddedService embedded() {
        return embedded;
    }

    /** The graph plugin. */
    public PluginInfo graph() {
        return graph;
    }

    /** A new worker context on this fixture's engine, with the graph plugin, not started. */
    public UromWorker worker() {
        return UromWorker.create(engine, service).setPlugins(graph);
    }

    /** A new worker context on this fixture's engine, with the graph plugin, running. */
    public UromWorker startWorker() {
        var worker = worker();
        worker.startAndWait(DEADLINE);
        return worker;
    }

    /** Progresses the worker's engine until the task has completed. */
    public static void await(CommandTask task) {
        if (!task.worker().engine().progressUntil(task::isCompleted, DEADLINE)) {
            throw new AssertionError(task + " did not complete within " + DEADLINE);
        }
    }

    /** Sends a value through the loopback and returns what comes back. */
    public static long loopback(CommandTask task, long value) {
        task.setPayloadLength(GraphCodec.packLoopback(value, task.payload()));
        task.submit();
        await(task);
        task.requireSuccess();
        return GraphCodec.loopbackData(task.response());
    }

    /** The worker processes of the embedded service. */
    public static List<ProcessHandle> workerProcesses() {
        return ProcessHandle.current().children()
                .filter(child -> child.info().command().orElse("").endsWith("/urom_worker"))
                .toList();
    }

    /** Waits until a condition holds that no engine tells of; fails at the deadline. */
    public static void eventually(String what, java.util.function.BooleanSupplier condition) {
        var deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + DEADLINE + ": " + what);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        try {
            service.close();
            device.close();
            engine.close();
        } finally {
            if (embedded != null) {
                embedded.close();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.internal.ThreadEnd;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A running UROM service. Any thread may use it. It ends with {@link #close}: its workers leave,
 * its connections and threads end. When its process is killed, its workers leave too.
 *
 * <p>The native libraries must have been loaded before ({@link dev.jurom.runtime.DocaRuntime}); of
 * them it uses UCX alone.
 */
public final class UromDaemon implements AutoCloseable {

    private final DaemonLoop loop;
    private final Thread thread;
    private final InetSocketAddress address;

    private UromDaemon(DaemonLoop loop, Thread thread, InetSocketAddress address) {
        this.loop = loop;
        this.thread = thread;
        this.address = address;
    }

    /**
     * Starts a service in this process and waits until it listens. It logs to its log directory, or
     * else to {@link System.Logger}.
     *
     * @param configuration what it is like
     * @return the service, to be closed
     * @throws DaemonException if it cannot listen there, or its key file or worker program is no
     *         good
     */
    public static UromDaemon start(DaemonConfiguration configuration) {
        var log = configuration.logDirectory()
                .map(directory -> ServiceLog.toFile(directory, configuration.logLevel()))
                .orElseGet(() -> ServiceLog.toSystemLogger(configuration.logLevel()));
        return start(configuration, log, Deadlines.DEFAULT);
    }

    /** Starts a service that logs to {@code log}, and closes it in the end. */
    static UromDaemon start(DaemonConfiguration configuration, ServiceLog log,
            Deadlines deadlines) {
        try {
            var key = configuration.keyFile().map(ServiceKey::read).orElseGet(ServiceKey::none);
            ListenAddress.require(configuration.listen(), !key.isNone(), deadlines.device());
            requireProgram(configuration.workerProgram());
            var plugins = new CompletableFuture<PluginCatalog>();
            var loop = new DaemonLoop(configuration, log, deadlines, key, plugins);
            var thread = Thread.ofPlatform().daemon().name("urom-daemon").start(loop);
            discover(configuration, log, deadlines, plugins);
            return new UromDaemon(loop, thread, loop.started().join());
        } catch (CompletionException e) {
            log.close();
            throw e.getCause() instanceof DaemonException refused ? refused
                    : new DaemonException("The service does not start: " + e.getCause(), e);
        } catch (RuntimeException | Error e) {
            log.close();
            throw e;
        }
    }

    private static void requireProgram(Path program) {
        if (!Files.isRegularFile(program) || !Files.isExecutable(program)) {
            throw new DaemonException("The worker program " + program
                    + " is not there, or cannot be executed", null);
        }
    }

    /** Looks at the plugins while the loop's thread sets UCX up. */
    private static void discover(DaemonConfiguration configuration, ServiceLog log,
            Deadlines deadlines, CompletableFuture<PluginCatalog> plugins) {
        try {
            plugins.complete(PluginCatalog.discover(configuration.pluginDirectories(),
                    new PluginProbe(configuration.workerProgram(), deadlines.probe()), log));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            plugins.completeExceptionally(
                    new DaemonException("The search for plugins was interrupted", e));
        } catch (RuntimeException | Error e) {
            plugins.completeExceptionally(e);
        }
    }

    /**
     * Where hosts connect.
     *
     * @return the address, with the port that the system chose when port 0 was asked for
     */
    public InetSocketAddress address() {
        return address;
    }

    /**
     * Waits until the service has ended, which it does by {@link #close} or a fault of its own.
     *
     * @throws InterruptedException if the calling thread is interrupted
     */
    public void awaitEnd() throws InterruptedException {
        thread.join();
    }

    /**
     * Ends the service: hosts lose their connections, workers leave or are killed after 3 seconds.
     * Waits for that. Closing again does nothing.
     */
    @Override
    public void close() {
        loop.stop();
        ThreadEnd.await(thread);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.ucx.UcxContext;
import dev.jurom.ucx.UcxException;
import dev.jurom.ucx.UcxFeature;
import dev.jurom.ucx.UcxListener;
import dev.jurom.ucx.UcxWorker;
import dev.jurom.urom.CpuSet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the thread of a service does, from its set-up to its end. */
final class DaemonLoop implements Runnable {

    /** A killed process is gone long before. */
    private static final Duration LAST_DEADLINE = Duration.ofSeconds(2);

    private final DaemonConfiguration configuration;
    private final ServiceLog log;
    private final Deadlines deadlines;
    private final ServiceKey key;
    private final CompletableFuture<PluginCatalog> plugins;
    private final CompletableFuture<InetSocketAddress> started = new CompletableFuture<>();

    /** Made by the thread; complete once there is something to stop. */
    private final CompletableFuture<EventLoop> loop = new CompletableFuture<>();
    private Workers workers;
    private Sessions sessions;
    private UcxListener listener;
    private boolean stopping;

    DaemonLoop(DaemonConfiguration configuration, ServiceLog log, Deadlines deadlines,
            ServiceKey key, CompletableFuture<PluginCatalog> plugins) {
        this.configuration = configuration;
        this.log = log;
        this.deadlines = deadlines;
        this.key = key;
        this.plugins = plugins;
    }

    /** Where it listens, once it does; or why it does not. */
    CompletableFuture<InetSocketAddress> started() {
        return started;
    }

    @Override
    public void run() {
        try (var context = UcxContext.open(
                EnumSet.of(UcxFeature.ACTIVE_MESSAGES, UcxFeature.WAKE_UP), settings());
             var worker = context.createWorker();
             var events = new EventLoop(worker, log)) {
            setUp(worker, events);
            loop.complete(events);
            started.complete(listener.address());
            events.run();
            log.info("The service has ended");
        } catch (UcxException e) {
            fail(new DaemonException("The service cannot listen at " + configuration.listen() + ": "
                    + e.getMessage(), e));
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
        } finally {
            if (workers != null) {
                workers.abandon();
            }
            key.forget();
            log.close();
        }
    }

    /**
     * Control traffic is rare and goes over tcp: a listener needs it, and a killed host is then
     * noticed at once. UCX opens a port of its own on each device: for local hosts none that others
     * can reach.
     */
    private Map<String, String> settings() {
        return Map.of("TLS", "tcp", "NET_DEVICES",
                configuration.listen().getAddress().isLoopbackAddress() ? "lo" : "all");
    }

    private void fail(Throwable failure) {
        if (!started.completeExceptionally(failure)) {
            log.error("The service has ended", failure);
        }
        loop.completeExceptionally(failure);
    }

    private void setUp(UcxWorker worker, EventLoop events) throws IOException {
        var random = new SecureRandom();
        var cpuSet = ServiceCores.of(configuration.cores());
        var ownUserId = ServiceKey.ownUserId();
        var catalog = plugins.join();
        workers = new Workers(events, log, deadlines,
                new WorkerLauncher(configuration, catalog, cpuSet, ownUserId, random),
                configuration.maxWorkers());
        sessions = new Sessions(events, log, deadlines, key, configuration.maxMessageSize(),
                (requestId, mac) -> welcome(requestId, mac, cpuSet, catalog), workers, random);
        worker.handle(Session.MESSAGE_ID, sessions::arrived);
        listener = worker.listen(configuration.listen(), sessions::requested);
        log.info("The service listens at " + listener.address() + " with "
                + catalog.infos().size() + " plugins, cores " + cpuSet + (key.isNone()
                ? " and no key" : " and a key"));
    }

    private Frame.Welcome welcome(long requestId, Bytes mac, CpuSet cpuSet,
            PluginCatalog catalog) {
        return new Frame.Welcome(requestId, mac, configuration.maxMessageSize(), cpuSet.size(),
                cpuSet, catalog.infos());
    }

    /** Begins to stop. Any thread may call this, more than once. */
    void stop() {
        loop.thenAccept(events -> events.execute(() -> stop(events)));
    }

    private void stop(EventLoop events) {
        if (stopping) {
            return;
        }
        stopping = true;
        listener.close();
        sessions.closeAll();
        workers.leaveAll();
        workers.whenGone(events::stop);
        events.after(deadlines.leave().plus(LAST_DEADLINE), events::stop);
    }
}

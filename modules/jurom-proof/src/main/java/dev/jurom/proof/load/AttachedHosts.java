// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.core.Device;
import dev.jurom.core.DocaException;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Idle hosts attached to one worker. */
final class AttachedHosts extends ClientGroup {

    private static final int GROUP = 64; // an engine polls all of its contexts
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final long worker;
    private final List<UromWorker> attached = new ArrayList<>();
    private final List<AutoCloseable> sessions = new ArrayList<>(); // in the order of their opening

    AttachedHosts(long worker, int count) {
        super("hosts attached to one worker", count);
        this.worker = worker;
    }

    @Override
    void connect() {
        for (var left = requested(); left > 0; left -= GROUP) {
            attach(Math.min(left, GROUP));
        }
    }

    /** Attaches hosts that share an engine and a session. */
    private void attach(int hosts) {
        var engine = ProgressEngine.create();
        var device = Device.open();
        var service = UromService.create(engine, device).setMaxWorkers(GROUP);
        sessions.addAll(List.of(engine, device, service));
        service.start();
        for (var i = 0; i < hosts; i++) {
            var host = UromWorker.create(engine, service)
                    .setId(worker)
                    .setPlugins(GraphPlugin.find(service))
                    .setMaxTasks(1);
            try {
                host.startAndWait(PATIENCE);
                attached.add(host);
            } catch (DocaException e) {
                count(e.error().toString());
                host.close();
            }
        }
    }

    @Override
    int open() {
        return attached.size();
    }

    @Override
    void disconnect() {
        attached.forEach(UromWorker::close);
        attached.clear();
        for (var session : sessions.reversed()) {
            try {
                session.close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot close " + session, e);
            }
        }
        sessions.clear();
    }
}

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

/** Idle hosts attached to one worker, up to and beyond its maximum. */
final class AttachedHosts implements ClientGroup {

    private static final int GROUP = 64; // an engine polls all of its contexts
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final long worker;
    private final int count;
    private final List<UromWorker> attached = new ArrayList<>();
    private final DisconnectReasons reasons = new DisconnectReasons();
    private final List<Group> groups = new ArrayList<>();

    AttachedHosts(long worker, int count) {
        this.worker = worker;
        this.count = count;
    }

    /** Hosts that share an engine and a session. */
    private final class Group {
        private final ProgressEngine engine = ProgressEngine.create();
        private final Device device = Device.open();
        private final UromService service = UromService.create(engine, device).setMaxWorkers(GROUP);

        private void attach(int hosts) {
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
                    reasons.count(e.error().toString());
                    host.close();
                }
            }
        }

        private void close() {
            service.close();
            device.close();
            engine.close();
        }
    }

    @Override
    public void connect() {
        for (var left = count; left > 0; left -= GROUP) {
            var group = new Group();
            groups.add(group);
            group.attach(Math.min(left, GROUP));
        }
    }

    @Override
    public GroupStatus status() {
        groups.forEach(group -> group.engine.progress());
        return new GroupStatus("hosts attached to one worker", count, attached.size(), reasons.reasons(), "");
    }

    @Override
    public void disconnect() {
        attached.forEach(UromWorker::close);
        attached.clear();
        reasons.clear();
        groups.forEach(Group::close);
        groups.clear();
    }
}

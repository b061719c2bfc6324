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

/** Hosts that are attached to one worker and do nothing: as many as there may be, and more. */
final class AttachedHosts implements CrowdPart {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final long worker;
    private final int count;
    private final List<UromWorker> attached = new ArrayList<>();
    private final Ends ends = new Ends();
    private ProgressEngine engine;
    private Device device;
    private UromService service;

    AttachedHosts(long worker, int count) {
        this.worker = worker;
        this.count = count;
    }

    @Override
    public void gather() {
        engine = ProgressEngine.create();
        device = Device.open();
        service = UromService.create(engine, device)
                .setMaxWorkers(Integer.highestOneBit(count) << 1);
        service.start();
        for (var i = 0; i < count; i++) {
            var host = UromWorker.create(engine, service).setId(worker)
                    .setPlugins(GraphPlugin.find(service)).setMaxTasks(1);
            try {
                host.startAndWait(PATIENCE);
                attached.add(host);
            } catch (DocaException e) {
                ends.count(e.error().toString());
                host.close();
            }
        }
    }

    @Override
    public Standing standing() {
        engine.progress();
        return new Standing("hosts attached to one worker", count, attached.size(),
                ends.reasons(), "");
    }

    @Override
    public void disperse() {
        attached.forEach(UromWorker::close);
        attached.clear();
        ends.clear();
        service.close();
        device.close();
        engine.close();
    }
}

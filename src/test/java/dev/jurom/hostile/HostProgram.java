// SPDX-License-Identifier: Apache-2.0
package dev.jurom.hostile;

import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.runtime.DocaRuntime;
import dev.jurom.runtime.internal.Environment;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.ServiceFile;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.time.Duration;
import java.util.ArrayList;

/**
 * A host with workers that waits to be killed, with the given service or an embedded one.
 */
public final class HostProgram {

    /** The number of workers. */
    static final int WORKERS = 3;

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private HostProgram() {}

    /** Prints "ready" when the workers are running. */
    public static void main(String[] arguments) {
        DocaRuntime.current();
        if (System.getProperty("service") == null) {
            EmbeddedService.open();
        } else {
            Environment.set(ServiceFile.VARIABLE, System.getProperty("service"));
        }
        var engine = ProgressEngine.create();
        var service = UromService.create(engine, Device.open());
        service.start();
        var workers = new ArrayList<UromWorker>();
        for (var i = 0; i < WORKERS; i++) {
            var worker = UromWorker.create(engine, service).setPlugins(GraphPlugin.find(service));
            worker.startAndWait(DEADLINE);
            workers.add(worker);
        }
        System.out.println("ready");
        engine.progressUntil(() -> false, Duration.ofMinutes(2));
        System.out.println("not killed: " + workers);
    }
}

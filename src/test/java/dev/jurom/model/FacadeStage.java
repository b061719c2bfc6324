// SPDX-License-Identifier: Apache-2.0
package dev.jurom.model;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.EmbeddedService;
import java.time.Duration;
import java.util.Map;

/** A service and a facade shared by sequences until one of them closes or loses it. */
final class FacadeStage implements AutoCloseable {

    /** Far less than the maximum time of a sequence, so that a hang is detected early. */
    private static final Duration CALL_TIMEOUT = Duration.ofMillis(60);

    private static long lastId = 9000; // of workers of a single sequence

    private EmbeddedService service;
    private Urom urom;
    private Worker shared; // kept connected, so that further workers are cheap

    /** Opens the service and the facade if necessary. */
    void open() throws InterruptedException {
        if (service == null) {
            service = EmbeddedService.open();
            urom = Urom.open(
                    UromConfiguration.builder().callTimeout(CALL_TIMEOUT).build());
            shared = urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME));
        }
    }

    Urom urom() {
        return urom;
    }

    /** Returns a worker with few slots in the shared process. */
    Worker connect() throws InterruptedException {
        return urom.startWorker(configuration(shared.id()).build());
    }

    /** Returns a worker with few slots in a separate process, which is marked with its id. */
    Worker spawn() throws InterruptedException {
        var id = ++lastId;
        return urom.startWorker(configuration(id)
                .environment(Map.of(WorkerProcess.VARIABLE, Long.toString(id)))
                .build());
    }

    private static WorkerConfiguration.Builder configuration(long id) {
        return WorkerConfiguration.builder(GraphPlugin.NAME).id(id).tasks(2).submitTimeout(CALL_TIMEOUT);
    }

    /** Closes the service while the facade uses it. */
    void loseService() {
        service.close();
    }

    @Override
    public void close() {
        if (service != null) {
            urom.close();
            service.close();
            service = null;
        }
    }
}

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

/** A service and a facade that sequences share, until one of them closes or loses either. */
final class FacadeStage implements AutoCloseable {

    /** Far less than a sequence may take, so that what hangs does not make the test long. */
    private static final Duration CALL_TIMEOUT = Duration.ofMillis(60);

    private static long lastId = 9000; // of workers that are a sequence's own

    private EmbeddedService service;
    private Urom urom;
    private Worker shared; // connected all the time: others come and go at little cost

    /** Opens what is not open. */
    void open() {
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

    /** A worker with few slots in the process that all share. */
    Worker connect() {
        return urom.startWorker(configuration(shared.id()).build());
    }

    /** A worker with few slots in a process of its own, which has its id as a mark. */
    Worker spawn() {
        var id = ++lastId;
        return urom.startWorker(configuration(id)
                .environment(Map.of(WorkerProcess.VARIABLE, Long.toString(id)))
                .build());
    }

    private static WorkerConfiguration.Builder configuration(long id) {
        return WorkerConfiguration.builder(GraphPlugin.NAME).id(id).tasks(2).submitTimeout(CALL_TIMEOUT);
    }

    /** Has the service go away under the facade. */
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

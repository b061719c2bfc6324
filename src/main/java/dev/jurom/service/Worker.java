// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A worker that hosts know, from the first SPAWN to its last RELEASE or its end. Belongs to the
 * loop's thread.
 */
final class Worker {

    /**
     * One SPAWN that was granted and not taken back.
     *
     * @param session whose it is
     * @param requestId that of the SPAWN
     */
    record Reference(Session session, long requestId) {
    }

    private final long id;
    private final long plugins;
    private final OptionalInt group;
    private final Bytes token;
    private final boolean sharesMemory;
    private final List<Reference> references = new ArrayList<>();
    private WorkerProcess process;
    private Frame.Ready ready;

    Worker(long id, long plugins, OptionalInt group, Bytes token, boolean sharesMemory) {
        this.id = id;
        this.plugins = plugins;
        this.group = group;
        this.token = token;
        this.sharesMemory = sharesMemory;
    }

    void runsAs(WorkerProcess itsProcess) {
        process = itsProcess;
    }

    void becomesReady(Frame.Ready answer) {
        ready = answer;
    }

    long id() {
        return id;
    }

    /** The ids of the plugins that it has loaded. */
    long plugins() {
        return plugins;
    }

    OptionalInt group() {
        return group;
    }

    Bytes token() {
        return token;
    }

    /**
     * Whether hosts of the service's own user reach it over shared memory, and others not at all.
     */
    boolean sharesMemory() {
        return sharesMemory;
    }

    WorkerProcess process() {
        return process;
    }

    boolean isReady() {
        return ready != null;
    }

    List<Reference> references() {
        return references;
    }

    /** What a SPAWN of it is answered with. */
    Frame.Spawned spawned(long requestId, boolean newProcess) {
        return new Frame.Spawned(requestId, id, ready.processId(), newProcess, group, token,
                ready.address());
    }
}

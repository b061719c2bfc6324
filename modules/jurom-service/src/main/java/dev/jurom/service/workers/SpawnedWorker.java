// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.service.identity.Confinement;
import dev.jurom.service.status.ServiceStatus;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.Ticket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A worker that hosts know, from the first SPAWN to its last RELEASE or its end. What changes is
 * guarded by the lock of {@link Workers}.
 */
public final class SpawnedWorker {

    private final TrustDomain domain;
    private final long id;
    private final long plugins;
    private final OptionalInt group;
    private final Path socket;
    private final Confinement confinement;
    private final References references = new References();
    private final Pulse pulse = new Pulse();
    private final Instant asked = Instant.now();
    private @Nullable WorkerProcess process; // constant once it is started
    private boolean ready;
    private boolean told;

    SpawnedWorker(TrustDomain domain, long id, Frame.Spawn spawn, Path socket, Confinement confinement) {
        this.domain = domain;
        this.id = id;
        this.plugins = spawn.plugins();
        this.group = spawn.group();
        this.socket = socket;
        this.confinement = confinement;
    }

    void runsAs(WorkerProcess itsProcess) {
        process = itsProcess;
    }

    void becomesReady() {
        ready = true;
    }

    TrustDomain domain() {
        return domain;
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

    /** Where hosts of this machine reach it. */
    Path socket() {
        return socket;
    }

    /** Its bounds, which are those of the host that it was started for. */
    Confinement confinement() {
        return confinement;
    }

    WorkerProcess process() {
        if (process == null) {
            throw new IllegalStateException(this + " has no process yet");
        }
        return process;
    }

    /** When it last answered. It has a lock of its own. */
    Pulse pulse() {
        return pulse;
    }

    boolean isReady() {
        return ready;
    }

    References references() {
        return references;
    }

    /** What the service's user is told. */
    ServiceStatus.RunningWorker status() {
        return new ServiceStatus.RunningWorker(
                id,
                ready ? process().id() : 0,
                ready ? process().startTime() : 0,
                domain.userId(),
                group,
                plugins,
                references.count(),
                asked,
                ready);
    }

    /** What a SPAWN of it is answered with; who is told first has made the process. */
    Frame.Spawned spawned(long requestId, Ticket ticket, boolean offersUcx, String address) {
        var newProcess = !told;
        told = true;
        return new Frame.Spawned(requestId, id, process().id(), newProcess, group, offersUcx, ticket, address);
    }

    /** As messages call it. */
    @Override
    public String toString() {
        return "Worker " + Long.toUnsignedString(id);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.service.identity.Confinement;
import dev.jurom.service.plugins.Plugin;
import dev.jurom.service.plugins.PluginCatalog;
import dev.jurom.service.status.RunningWorker;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.Ticket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A worker that hosts can use, from the first SPAWN to its last RELEASE or its end. The lock of {@link Workers}
 * guards its mutable state.
 */
public final class SpawnedWorker {

    private final TrustDomain domain;
    private final long id;
    private final List<Plugin> plugins;
    private final OptionalInt group;
    private final Path socket;
    private final Confinement confinement;
    private final References references = new References();
    private final Heartbeat heartbeat = new Heartbeat();
    private final Instant requested = Instant.now();
    private @Nullable WorkerProcess process; // constant after the start
    private boolean ready;
    private boolean announced; // a host has received it as a new process

    SpawnedWorker(
            TrustDomain domain,
            long id,
            List<Plugin> plugins,
            OptionalInt group,
            Path socket,
            Confinement confinement) {
        this.domain = domain;
        this.id = id;
        this.plugins = plugins;
        this.group = group;
        this.socket = socket;
        this.confinement = confinement;
    }

    void setProcess(WorkerProcess created) {
        process = created;
    }

    void setReady() {
        ready = true;
    }

    TrustDomain domain() {
        return domain;
    }

    long id() {
        return id;
    }

    /** Returns its plugins as they were offered when it was requested. */
    List<Plugin> plugins() {
        return plugins;
    }

    /** Returns the ids of its plugins, combined. */
    long pluginIds() {
        return PluginCatalog.ids(plugins);
    }

    OptionalInt group() {
        return group;
    }

    /** Returns the path of the socket for hosts of this machine. */
    Path socket() {
        return socket;
    }

    /** Returns its restrictions, which are those of the host for which it was started. */
    Confinement confinement() {
        return confinement;
    }

    WorkerProcess process() {
        if (process == null) {
            throw new IllegalStateException(this + " has no process yet");
        }
        return process;
    }

    /** Returns the state of its answers, which has a lock of its own. */
    Heartbeat heartbeat() {
        return heartbeat;
    }

    boolean isReady() {
        return ready;
    }

    References references() {
        return references;
    }

    /** Returns the worker's part of the service's status. */
    RunningWorker status() {
        return new RunningWorker(
                id,
                ready ? process().id() : 0,
                ready ? process().startTime() : 0,
                domain.userId(),
                group,
                pluginIds(),
                references.count(),
                requested,
                ready);
    }

    /** Returns the answer to a SPAWN; only the first one reports a new process. */
    Frame.Spawned spawned(long requestId, Ticket ticket, boolean offersUcx, String address) {
        var newProcess = !announced;
        announced = true;
        return new Frame.Spawned(requestId, id, process().id(), newProcess, group, offersUcx, ticket, address);
    }

    /** Returns the name of the worker in messages. */
    @Override
    public String toString() {
        return "Worker " + Long.toUnsignedString(id);
    }
}

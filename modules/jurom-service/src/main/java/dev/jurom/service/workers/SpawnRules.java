// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.plugins.Plugin;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.wire.Frame;

/** Checks whether another reference or another worker is allowed. This class is immutable. */
final class SpawnRules {

    /** Limit of references of one user, as a number of connections that each hold their maximum. */
    private static final long FULL_CONNECTIONS = 16;

    private final Limits limits;

    SpawnRules(Limits limits) {
        this.limits = limits;
    }

    /** Requires that another reference is allowed. */
    void requireReference(RequestingHost session, TrustDomain domain) throws RequestRefused {
        if (session.references() >= limits.references()) {
            throw full("This connection holds " + session.references()
                    + " references on workers, its limit: release some");
        }
        if (domain.references() >= FULL_CONNECTIONS * limits.references()) {
            throw full("The connections of this user hold " + domain.references()
                    + " references on workers, their limit: release some");
        }
    }

    /** Requires that another worker process is allowed. */
    void requireWorker(int running, TrustDomain domain) throws RequestRefused {
        if (running >= limits.workers()) {
            throw full("The service runs " + limits.workers() + " workers, its limit: stop some,"
                    + " or start it with a higher --max-workers");
        }
        if (domain.running() >= limits.workersPerUser()) {
            throw full("The service runs " + limits.workersPerUser() + " workers of this user, the"
                    + " limit for one: stop some, or start it with a higher"
                    + " --max-workers-per-user");
        }
    }

    private static RequestRefused full(String why) {
        return new RequestRefused(DocaError.FULL, why);
    }

    /** Requires that a host may use a plugin. */
    static void requirePlugin(Peer peer, Plugin plugin, String remedy) throws RequestRefused {
        if (!peer.mayUse(plugin)) {
            throw new RequestRefused(
                    DocaError.NOT_PERMITTED,
                    "The plugin " + plugin.info().name() + " is not granted to this host: the operator can add it"
                            + " to the option plugins= of the host's line in the file of authorized hosts; or "
                            + remedy);
        }
    }

    /** Requires that an existing worker satisfies the request of a host. */
    static void requireSame(SpawnedWorker worker, Peer peer, Frame.Spawn spawn) throws RequestRefused {
        if (!spawn.environment().isEmpty()) {
            throw new RequestRefused(
                    DocaError.ALREADY_EXIST,
                    worker + " runs already, and its"
                            + " environment cannot be set any more: leave it out or use another worker id");
        }
        var excess = peer.isLocal() ? peer.confinement().excess(worker.confinement()) : null;
        if (excess != null) {
            throw new RequestRefused(DocaError.NOT_PERMITTED, worker + " " + excess + ": use another worker id");
        }
        for (var plugin : worker.plugins()) { // including those that the host does not request: it shares a process
            requirePlugin(peer, plugin, worker + " runs it: use another worker id");
        }
        var missing = spawn.plugins() & ~worker.pluginIds();
        if (missing != 0) {
            throw new RequestRefused(
                    DocaError.INVALID_VALUE,
                    "%s runs with the plugins 0x%x and not with 0x%x: use another worker id"
                            .formatted(worker, worker.pluginIds(), missing));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.sessions;

import dev.jurom.service.connections.DescriptorReserve;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.threads.Timers;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.workers.DaemonCounters;
import dev.jurom.service.workers.Deadlines;
import dev.jurom.service.workers.Workers;

/** The part of the service that a session uses. Implementations are thread-safe. */
public interface SessionHost {

    /** {@return the maximum size in bytes of a message between a host and a worker, including headers} */
    int maxMessageSize();

    /**
     * Creates the answer to a HELLO, with the plugins and processors that the service offers now. Searches for
     * plugins again if their folders have changed, which may block for 2 s.
     *
     * @param peer the host, which receives only plugins that it may use
     * @param requestId the number of the request
     * @return the answer
     */
    Frame.Welcome welcome(Peer peer, long requestId);

    /** {@return the workers of the service} */
    Workers workers();

    /** {@return the log of the service} */
    ServiceLog log();

    /** {@return the counters of the service} */
    DaemonCounters counters();

    /** {@return the timers of the service, which also run tasks on its pool} */
    Timers timers();

    /** {@return the maximum times that the service waits} */
    Deadlines deadlines();

    /** {@return the limits on connections and workers} */
    Limits limits();

    /** {@return the descriptors that connections must leave free} */
    DescriptorReserve descriptors();

    /**
     * Rejects a local user without an account, if a recent lookup has shown that. Does not block.
     *
     * @param userId the numeric id of the user
     * @throws RequestRefused if that is the case, unless the user is the service's own
     */
    void requireAccount(int userId) throws RequestRefused;

    /**
     * Returns whether a host is still authorized.
     *
     * @param peer the host, as it was authenticated
     * @return true also for every host of this machine
     */
    boolean isAuthorized(Peer peer);

    /** Reports that the remote sessions, or their references on workers, have changed. Does not block. */
    void changed();
}

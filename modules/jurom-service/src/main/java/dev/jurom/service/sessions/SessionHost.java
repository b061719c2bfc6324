// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.sessions;

import dev.jurom.service.connections.DescriptorReserve;
import dev.jurom.service.connections.Timers;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.Limits;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.workers.DaemonCounters;
import dev.jurom.service.workers.Deadlines;
import dev.jurom.service.workers.Workers;

/** The part of the service that a session uses. Implementations are thread-safe. */
public interface SessionHost {

    int maxMessageSize();

    Frame.Welcome welcome(long requestId);

    Workers workers();

    ServiceLog log();

    DaemonCounters counters();

    Timers timers();

    Deadlines deadlines();

    Limits limits();

    DescriptorReserve descriptors();

    /** Refuses a local user that is known to have no account. Does not block. */
    void requireNotUnknown(int userId) throws RequestRefused;

    /** Returns whether a host is still authorized. */
    boolean knows(Peer peer);
}

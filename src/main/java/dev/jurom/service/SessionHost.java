// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.service.wire.Frame;

/** What a session needs of the service. Any thread may use it. */
interface SessionHost {

    int maxMessageSize();

    Frame.Welcome welcome(long requestId);

    Workers workers();

    ServiceLog log();

    DaemonCounters counters();

    Timers timers();

    Deadlines deadlines();

    Limits limits();

    DescriptorReserve descriptors();

    /** Refuses a local user of whom it is known that there is no account. Does not wait. */
    void requireNotUnknown(int userId) throws RequestRefused;

    /** Whether a host is still one that may connect. */
    boolean knows(Peer peer);
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections that have not shown who they are, by their network: an IPv4 address, or the 64 bits of
 * an IPv6 address that one subscriber has. Of too many of one network, or in all, the oldest must go:
 * who is honest is known by then. Any thread may use it.
 */
final class Strangers {

    /** Networks whose connections there is room for at a time. */
    private static final int NETWORKS = 16;
    private static final int NETWORK_BYTES = 8;

    private final int limit;
    private final ServiceLog log;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ByteBuffer, Deque<TlsConnection>> byNetwork = new HashMap<>();
    private final Set<TlsConnection> all = new LinkedHashSet<>(); // the oldest first

    Strangers(int limit, ServiceLog log) {
        this.limit = limit;
        this.log = log;
    }

    void add(TlsConnection connection) {
        TlsConnection oldest = null;
        lock.lock();
        try {
            var waiting = byNetwork.computeIfAbsent(network(connection),
                    network -> new ArrayDeque<>());
            waiting.add(connection);
            all.add(connection);
            if (waiting.size() > limit) {
                oldest = waiting.getFirst();
            } else if (all.size() > NETWORKS * limit) {
                oldest = all.iterator().next();
            }
            if (oldest != null) {
                forget(oldest);
            }
        } finally {
            lock.unlock();
        }
        if (oldest != null) {
            log.info(oldest + " has not said who it is, and gives way to another one");
            oldest.abort();
        }
    }

    /** It has shown who it is, or ended. */
    void remove(TlsConnection connection) {
        lock.lock();
        try {
            forget(connection);
        } finally {
            lock.unlock();
        }
    }

    private void forget(TlsConnection connection) {
        if (all.remove(connection)) {
            byNetwork.computeIfPresent(network(connection), (network, waiting) -> {
                waiting.remove(connection);
                return waiting.isEmpty() ? null : waiting;
            });
        }
    }

    private static ByteBuffer network(TlsConnection connection) {
        var address = connection.remoteAddress().getAddress();
        return ByteBuffer.wrap(address, 0, Math.min(address.length, NETWORK_BYTES));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections that have not shown who they are, by their address. Of too many at one address the
 * oldest must go: who is honest is known by then. Any thread may use it.
 */
final class Strangers {

    private final int limit;
    private final ServiceLog log;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<InetAddress, Deque<TlsConnection>> byAddress = new HashMap<>();

    Strangers(int limit, ServiceLog log) {
        this.limit = limit;
        this.log = log;
    }

    void add(TlsConnection connection) {
        TlsConnection oldest = null;
        lock.lock();
        try {
            var waiting = byAddress.computeIfAbsent(connection.remoteAddress(),
                    address -> new ArrayDeque<>());
            waiting.add(connection);
            if (waiting.size() > limit) {
                oldest = waiting.remove();
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
            byAddress.computeIfPresent(connection.remoteAddress(), (address, waiting) -> {
                waiting.remove(connection);
                return waiting.isEmpty() ? null : waiting;
            });
        } finally {
            lock.unlock();
        }
    }
}

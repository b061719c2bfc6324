// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Accepts connections at one address, on a thread of its own, until it is closed. A virtual thread
 * would queue behind those of the connections that it has accepted.
 */
abstract class Listener implements AutoCloseable {

    /** When the system has no descriptor to spare, others must give some back first. */
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** Connections that the system keeps for us while we are busy. */
    static final int BACKLOG = 1024;

    private final ServiceLog log;
    private volatile boolean closed;

    Listener(ServiceLog log) {
        this.log = log;
    }

    /** Where it listens, with the port that the system chose. */
    abstract ListenAddress address();

    /** Waits for a connection and passes it on. */
    abstract void accept() throws IOException;

    /** Stops listening: a thread that waits in {@link #accept} gets an exception. */
    abstract void stop() throws IOException;

    /** Begins to accept. */
    final void start() {
        Thread.ofPlatform().daemon().name("urom-daemon-listener").start(() -> {
            while (!closed) {
                try {
                    accept();
                } catch (IOException e) {
                    if (!closed) {
                        log.error("No connection can be accepted at " + address(), e);
                        LockSupport.parkNanos(PAUSE.toNanos());
                    }
                }
            }
        });
    }

    @Override
    public final void close() {
        closed = true;
        try {
            stop();
        } catch (IOException e) {
            log.warning("The address " + address() + " could not be given up: " + e);
        }
    }
}

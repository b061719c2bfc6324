// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/** Accepts connections at one address, on a thread of its own, until it is closed. */
abstract class Listener implements AutoCloseable {

    /** Without a free descriptor, or memory, others must release some first. */
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** Connections that the system keeps for us while we are busy. */
    static final int BACKLOG = 1024;

    private final ServiceLog log;
    private final ThreadFactory threads;
    private volatile boolean closed;

    Listener(ServiceLog log, ServiceThreads threads) {
        this.log = log;
        this.threads = threads.factory("urom-daemon-listener");
    }

    /** Where it listens, with the port that the system chose. */
    abstract ListenAddress address();

    /** Waits for a connection and passes it on. */
    abstract void accept() throws IOException;

    /** Stops listening: a thread that waits in {@link #accept} gets an exception. */
    abstract void stop() throws IOException;

    /** Begins to accept. */
    final void start() {
        var message = "No connection can be accepted at " + address();
        threads.newThread(() -> {
            while (!closed) {
                try {
                    accept();
                } catch (IOException | RuntimeException | Error e) { // nothing ends this thread
                    if (!closed) {
                        log.error(message, e);
                        LockSupport.parkNanos(PAUSE.toNanos());
                    }
                }
            }
        }).start();
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

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.runtime.LogLevel;
import dev.jurom.service.logs.PeerCause;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.threads.ServiceThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/** Accepts connections at one address, on a thread of its own, until it is closed. */
public abstract class Listener implements AutoCloseable {

    /** Pause after a failure for lack of descriptors or memory, until others are released. */
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** Number of connections that the kernel queues until they are accepted. */
    static final int BACKLOG = 1024;

    private final ServiceLog log;
    private final ThreadFactory threads;
    private volatile boolean closed;

    Listener(ServiceLog log, ServiceThreads threads) {
        this.log = log;
        this.threads = threads.factory("urom-daemon-listener");
    }

    /** {@return the address at which it listens, with the port that the system chose} */
    public abstract ListenAddress address();

    /** Waits for a connection and passes it on. */
    abstract void accept() throws IOException;

    /** Stops listening: a thread that blocks in {@link #accept} receives an exception. */
    abstract void stop() throws IOException;

    /**
     * Starts the thread that accepts connections. Does not block.
     *
     * @param notAccepted runs on that thread after each failed attempt
     */
    public final void start(Runnable notAccepted) {
        threads.newThread(() -> {
                    while (!closed) {
                        try {
                            accept();
                        } catch (IOException | RuntimeException | Error e) { // no failure may end this thread
                            if (!closed) {
                                report(e, notAccepted);
                                LockSupport.parkNanos(PAUSE.toNanos());
                            }
                        }
                    }
                })
                .start();
    }

    private void report(Throwable cause, Runnable notAccepted) {
        try {
            notAccepted.run();
            log.caused(
                    PeerCause.ACCEPT,
                    address().toString(),
                    LogLevel.ERROR,
                    "No connection can be accepted at " + address() + ": " + cause);
        } catch (RuntimeException | Error e) {
            // Without descriptors, even class loading fails. The next attempt reports the failure.
        }
    }

    @Override
    public final void close() {
        closed = true;
        try {
            stop();
        } catch (IOException e) {
            log.warning("The address " + address() + " could not be released: " + e);
        }
    }
}

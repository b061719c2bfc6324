// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

/**
 * Opens private UROM services in this process, for programs whose environment names no service.
 * Found by {@link java.util.ServiceLoader}; the artifact {@code dev.jurom:jurom-service} has the one
 * that ships with jurom. Implementations are thread-safe.
 */
public interface EmbeddedServiceProvider {

    /** A private service that is open. */
    interface PrivateService extends AutoCloseable {

        /** Ends the service and its workers. No effect if closed; a failed close can be repeated. */
        @Override
        void close();
    }

    /**
     * Opens a service that listens on a Unix socket for this user only, and names its service file
     * for this process.
     *
     * @param maxMessageSize the maximum message size in bytes
     * @return the service, which the caller closes
     * @throws DaemonException if it cannot listen
     */
    PrivateService open(int maxMessageSize);
}

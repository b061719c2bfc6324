// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime;

import java.nio.file.Path;

/**
 * Opens private UROM services in this process, for programs whose environment names no service.
 * Found by {@link java.util.ServiceLoader}; the artifact {@code dev.jurom:jurom-service} has the one
 * that ships with jurom. Implementations are thread-safe.
 */
public interface EmbeddedServiceProvider {

    /** A private service that is open. */
    interface PrivateService extends AutoCloseable {

        /**
         * Returns the service file that names this service for each device.
         *
         * @return a file that is deleted when this is closed
         */
        Path serviceFile();

        /**
         * Returns the address of this service.
         *
         * @return the address in the notation of service files
         */
        String address();

        /**
         * Returns the maximum size of a message.
         *
         * @return the size in bytes, including headers
         */
        int maxMessageSize();

        /** Ends the service and its workers. No effect if closed; a failed close can be repeated. */
        @Override
        void close();
    }

    /**
     * Opens a service that listens on a Unix socket for this user only. Other code of this process finds
     * it only by its address or service file.
     *
     * @param maxMessageSize the maximum message size in bytes
     * @return the service, which the caller closes
     * @throws DaemonException if it cannot listen
     */
    PrivateService open(int maxMessageSize);
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/**
 * The configuration of a service for subjects.
 *
 * @param transport the transport of commands
 * @param maxMessageSize the maximum message size in bytes
 * @param build the programs of the service
 */
record Service(Transport transport, int maxMessageSize, Build build) {

    /** A service for local hosts. */
    static final Service LOCAL = new Service(Transport.SHARED_MEMORY, ServiceProcess.DEFAULT_MESSAGE);

    /** A service for remote hosts. */
    static final Service OVER_TLS = new Service(Transport.TLS, ServiceProcess.DEFAULT_MESSAGE);

    /** A service for remote hosts over UCX. */
    static final Service OVER_UCX = new Service(Transport.UCX, ServiceProcess.DEFAULT_MESSAGE);

    /** A service for messages of 1 MiB. */
    static final Service OF_LARGE = new Service(Transport.SHARED_MEMORY, (1 << 20) + (1 << 16));

    /** Returns a service of this working tree. */
    Service(Transport transport, int maxMessageSize) {
        this(transport, maxMessageSize, Build.OWN);
    }

    Service builtIn(Build other) {
        return new Service(transport, maxMessageSize, other);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/**
 * What a service is like that a subject is a host of.
 *
 * @param transport what carries commands to its workers
 * @param maxMessageSize the longest message between a host and a worker, in bytes
 */
record Service(Transport transport, int maxMessageSize) {

    /** For hosts of its machine. */
    static final Service LOCAL = new Service(Transport.SHARED_MEMORY, ServiceProcess.DEFAULT_MESSAGE);

    /** As for hosts of other machines. */
    static final Service OVER_TLS = new Service(Transport.TLS, ServiceProcess.DEFAULT_MESSAGE);

    /** The same, where both sides have chosen UCX. */
    static final Service OVER_UCX = new Service(Transport.UCX, ServiceProcess.DEFAULT_MESSAGE);

    /** For messages of a mebibyte. */
    static final Service OF_LARGE = new Service(Transport.SHARED_MEMORY, (1 << 20) + (1 << 16));
}

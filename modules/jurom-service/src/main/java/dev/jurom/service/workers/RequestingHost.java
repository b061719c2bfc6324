// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.wire.Frame;
import java.net.InetAddress;
import java.util.Optional;

/** A host that requests workers: the part of its session that workers use. Implementations are thread-safe. */
public interface RequestingHost {

    /** {@return a number that is unique among all sessions of the service} */
    long id();

    /** {@return the authenticated peer} */
    Peer peer();

    /** {@return the service's address on the connection; empty for a host of this machine} */
    Optional<InetAddress> localAddress();

    /** {@return the number of references that the session holds} */
    int references();

    /**
     * Adds to the number of references.
     *
     * @param change the number to add, which may be negative
     */
    void countReferences(int change);

    /**
     * Sends a frame, unless the session has ended. Does not wait for the host.
     *
     * @param frame the frame
     */
    void send(Frame.Outgoing frame);

    /**
     * Answers a request with an error. The session continues. Does not wait for the host.
     *
     * @param requestId the number of the request
     * @param error the error
     * @param why a sentence for the user of the host
     */
    void fail(long requestId, DocaError error, String why);
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.wire.Frame;
import java.net.InetAddress;
import java.util.Optional;

/** A host that requests workers: the part of its session that workers use. Implementations are thread-safe. */
public interface RequestingHost {

    /** Returns a number that is unique among all sessions of the service. */
    long id();

    /** Returns the authenticated peer. */
    Peer peer();

    /** Returns the service's address on the connection; empty for a host of this machine. */
    Optional<InetAddress> localAddress();

    /** Returns the number of references that the session holds. */
    int references();

    /** Adds to the number of references. */
    void countReferences(int change);

    /** Sends a frame, unless the session has ended. */
    void send(Frame frame);

    /** Answers a request with an error. The session continues. */
    void fail(long requestId, DocaError error, String why);
}

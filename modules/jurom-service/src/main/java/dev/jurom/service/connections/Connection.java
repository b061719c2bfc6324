// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.util.Optional;

/** The socket of a host. One thread reads, one writes; any may abort. */
public interface Connection {

    /** Bytes: more than a socket and a frame hold. */
    int MOST_DROPPED = 1 << 20;
    /** Bytes. */
    int DROPPED_AT_ONCE = 1 << 13;

    /**
     * Finds out who the host is, with a TLS handshake where it takes one. Before that, there are no
     * streams.
     *
     * @throws RequestRefused if it is nobody whom the service serves; the host can be told so
     * @throws IOException if it does not say who it is; it cannot be told anything
     */
    Peer identify() throws IOException, RequestRefused;

    /**
     * Returns whether the host has said something, or has left. Otherwise {@code later} is run once
     * when it has, or the connection is aborted. True also if that is to be waited for by reading.
     */
    boolean hasInput(Runnable later);

    /** What the host says. */
    InputStream input() throws IOException;

    /** What the host is told; closing it tells that there is no more, and leaves the input open. */
    OutputStream output() throws IOException;

    /** The address at which a host of another machine came in. */
    Optional<InetAddress> localAddress();

    /**
     * Says that nothing more is sent, and drops what the host still says until it ends: if that
     * were left unread, what it was told last would be lost. A host that goes on and on is left.
     */
    void drain() throws IOException;

    /** Reads and drops, to the end of the input or the most that a host may have been saying. */
    static void drop(InputStream input) throws IOException {
        var dropped = new byte[DROPPED_AT_ONCE];
        var left = MOST_DROPPED;
        for (var got = 0; got >= 0 && left > 0; left -= got) {
            got = input.read(dropped);
        }
    }

    /** Ends the connection at once, without a word. Does not wait. */
    void abort();

    /** Who it seems to be, for the log. */
    @Override
    String toString();
}

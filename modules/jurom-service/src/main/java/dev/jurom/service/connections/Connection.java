// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.util.Optional;

/** The connection of a host. One thread reads and one writes; any thread may abort. */
public interface Connection {

    /** Maximum number of bytes that {@link #drop} reads: more than a socket and a frame hold. */
    int MOST_DROPPED = 1 << 20;
    /** Number of bytes that {@link #drop} reads at once. */
    int DROPPED_AT_ONCE = 1 << 13;

    /**
     * Authenticates the host, with a TLS handshake for a remote one. The streams are available only afterwards.
     *
     * @throws RequestRefused if the service does not serve the host; an error can be sent to it
     * @throws IOException if the host does not authenticate; nothing can be sent to it
     */
    Peer identify() throws IOException, RequestRefused;

    /**
     * Returns whether the host has sent data or closed the connection, or only reading can tell. Otherwise runs
     * {@code later} once when it has, or when the connection is aborted.
     */
    boolean hasInput(Runnable later);

    /** Returns the stream of data from the host. */
    InputStream input() throws IOException;

    /** Returns the stream of data to the host. Closing it ends the output and leaves the input open. */
    OutputStream output() throws IOException;

    /** Returns the local address at which a remote host connected. */
    Optional<InetAddress> localAddress();

    /**
     * Ends the output and discards input, over TCP until the host closes the connection: unread input would
     * make the kernel discard the last answer, or report an error after it. Discards a limited number of bytes.
     */
    void drain() throws IOException;

    /** Discards input up to its end, or up to {@link #MOST_DROPPED} bytes. */
    static void drop(InputStream input) throws IOException {
        var dropped = new byte[DROPPED_AT_ONCE];
        var left = MOST_DROPPED;
        for (var got = 0; got >= 0 && left > 0; left -= got) {
            got = input.read(dropped);
        }
    }

    /** Closes the connection at once, without sending anything. Does not block. */
    void abort();

    /** Describes the peer for the log, before it is authenticated. */
    @Override
    String toString();
}

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
     * @return the host and the user as which its workers run
     * @throws RequestRefused if the service does not serve the host; an error can be sent to it
     * @throws IOException if the host does not authenticate; nothing can be sent to it
     */
    Peer identify() throws IOException, RequestRefused;

    /**
     * Returns whether a read of the input may be tried: the host has sent data or closed the connection, or only
     * reading can tell. Otherwise runs an action once when that is the case, or when the connection is aborted.
     *
     * @param later the action, run by the thread of the poller or the aborting thread: it must not block
     * @return false if {@code later} will be run
     */
    boolean hasInput(Runnable later);

    /**
     * Returns the data from the host.
     *
     * @return a stream whose reads block until there is data, the end, or the connection is aborted
     * @throws IOException if the connection is closed
     */
    InputStream input() throws IOException;

    /**
     * Returns the stream of data to the host. Closing it ends the output and leaves the input open.
     *
     * @return a stream whose writes block until the kernel has accepted all bytes or the connection is aborted
     * @throws IOException if the connection is closed
     */
    OutputStream output() throws IOException;

    /** {@return the local address at which a remote host connected; empty for a host of this machine} */
    Optional<InetAddress> localAddress();

    /**
     * Ends the output and discards input, over TCP until the host closes the connection: unread input would
     * make the kernel discard the last answer, or report an error after it. Discards a limited number of bytes.
     *
     * @throws IOException if the connection fails
     */
    void drain() throws IOException;

    /**
     * Discards input up to its end, or until {@link #MOST_DROPPED} bytes are discarded. Blocks until then.
     *
     * @param input the stream, which stays open
     * @throws IOException if a read fails
     */
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

    /** {@return the origin of the connection in the log: a user of this machine, or a network} */
    String source();
}

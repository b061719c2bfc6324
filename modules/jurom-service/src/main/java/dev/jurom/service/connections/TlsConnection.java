// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.service.identity.AuthorizedHosts;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.identity.TlsIdentity;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a remote host, authenticated by its certificate. TLS uses a separate socket below it, which
 * can be closed while TLS waits for the host.
 */
public final class TlsConnection implements Connection {

    private static final int NETWORK_BYTES = 8;
    private static final int IPV6_BYTES = 16;

    private final Socket socket;
    private final TlsIdentity identity;
    private final Supplier<AuthorizedHosts> hosts;
    private final Duration limit; // maximum wait until the handshake begins
    private @Nullable SSLSocket secured; // set after the handshake
    private volatile long waiting; // when the handshake began to wait for the host; 0 if it does not
    private volatile boolean over; // the handshake has ended

    /**
     * Takes over a connected socket. The handshake begins with {@link #identify}.
     *
     * @param socket the socket, which this closes
     * @param identity the key and the certificate of the service
     * @param hosts returns the hosts that are authorized when the handshake begins
     * @param limit maximum time from the host's first message until the service can answer it
     */
    public TlsConnection(Socket socket, TlsIdentity identity, Supplier<AuthorizedHosts> hosts, Duration limit) {
        this.limit = limit;
        this.socket = socket;
        this.identity = identity;
        this.hosts = hosts;
    }

    /** Returns the address of the host. */
    InetAddress remoteAddress() {
        return socket.getInetAddress();
    }

    @Override
    public Peer identify() throws IOException, RequestRefused {
        var known = hosts.get();
        var accepted =
                identity.shakeHands(socket, known, limit, awaitsHost -> waiting = awaitsHost ? System.nanoTime() : 0);
        secured = accepted;
        over = true;
        return known.peer(identity.certificateOf(accepted), new InetSocketAddress(remoteAddress(), socket.getPort()));
    }

    /** Returns whether the handshake has ended, successfully or not. */
    boolean isOver() {
        return over;
    }

    /** Returns whether the handshake has waited for data from the host for longer than {@code time}. */
    boolean waitsLonger(Duration time, long now) {
        var since = waiting;
        try {
            return since != 0
                    && now - since > time.toNanos()
                    && socket.getInputStream().available() == 0;
        } catch (IOException e) {
            return true; // the socket is closed
        }
    }

    private SSLSocket secured() {
        if (secured == null) {
            throw new IllegalStateException("The host at " + remoteAddress() + " has not been authenticated");
        }
        return secured;
    }

    /** Returns true, because TLS cannot tell without reading. */
    @Override
    public boolean hasInput(Runnable later) {
        return true;
    }

    @Override
    public InputStream input() throws IOException {
        return secured().getInputStream();
    }

    @Override
    public OutputStream output() throws IOException {
        return new FilterOutputStream(secured().getOutputStream()) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                out.write(bytes, from, length);
            }

            @Override
            public void close() throws IOException {
                secured().shutdownOutput();
            }
        };
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return Optional.of(socket.getLocalAddress());
    }

    /** Closes the socket below TLS, because TLS itself may have failed. */
    @Override
    public void drain() throws IOException {
        socket.shutdownOutput();
        Connection.drop(socket.getInputStream());
    }

    @Override
    public void abort() {
        over = true;
        try {
            socket.close();
        } catch (IOException e) {
            // The socket is closed even so.
        }
    }

    /** Returns the address of the host, or the network of 64 bits, in which one machine can take any IPv6 address. */
    @Override
    public String source() {
        return remoteAddress() instanceof Inet6Address six
                ? networkOf(six)
                : remoteAddress().getHostAddress();
    }

    private static String networkOf(Inet6Address address) {
        try {
            var network = Arrays.copyOf(Arrays.copyOf(address.getAddress(), NETWORK_BYTES), IPV6_BYTES);
            return InetAddress.getByAddress(network).getHostAddress() + "/" + NETWORK_BYTES * Byte.SIZE;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An IPv6 address has 16 bytes", e);
        }
    }

    @Override
    public String toString() {
        return "host " + remoteAddress().getHostAddress() + " port " + socket.getPort();
    }
}

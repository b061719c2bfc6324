// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A host of another machine, which shows a certificate. TLS lies over a socket of its own, which
 * can be closed while TLS waits for the host.
 */
final class TlsConnection implements Connection {

    private final Socket socket;
    private final TlsIdentity identity;
    private final Supplier<AuthorizedHosts> hosts;
    private @Nullable SSLSocket secured; // once it is

    TlsConnection(Socket socket, TlsIdentity identity, Supplier<AuthorizedHosts> hosts) {
        this.socket = socket;
        this.identity = identity;
        this.hosts = hosts;
    }

    /** Where the host is. */
    InetAddress remoteAddress() {
        return socket.getInetAddress();
    }

    @Override
    public Peer identify() throws IOException, RequestRefused {
        var known = hosts.get();
        var accepted = identity.accept(socket, known);
        secured = accepted;
        accepted.startHandshake();
        var certificate = identity.certificateOf(accepted);
        return known.peer(certificate, remoteAddress());
    }

    private SSLSocket secured() {
        if (secured == null) {
            throw new IllegalStateException("The host at " + remoteAddress()
                    + " has not been asked who it is");
        }
        return secured;
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

    /** Below TLS, which may have failed. */
    @Override
    public void drain() throws IOException {
        socket.shutdownOutput();
        Connection.drop(socket.getInputStream());
    }

    @Override
    public void abort() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    @Override
    public String toString() {
        return "host " + remoteAddress().getHostAddress() + " port " + socket.getPort();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.connections;

import dev.jurom.service.identity.LocalUsers;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.identity.RequestRefused;
import dev.jurom.service.linux.LocalSocket;
import dev.jurom.service.linux.PeerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.util.Optional;

/** The connection of a host of this machine, which the kernel authenticates. */
public final class UnixConnection implements Connection {

    private final LocalSocket socket;
    private final LocalUsers users;
    private final PeerProcess process;

    /**
     * Takes over a socket.
     *
     * @param socket the socket, which {@link #abort} closes
     * @param users determines which users the service serves
     * @throws IOException if the kernel does not identify the peer; the caller still owns the socket
     */
    public UnixConnection(LocalSocket socket, LocalUsers users) throws IOException {
        this.socket = socket;
        this.users = users;
        this.process = socket.peer();
    }

    /** {@return the numeric id of the host's user, without looking up its account} */
    public int userId() {
        return process.userId();
    }

    @Override
    public Peer identify() throws RequestRefused {
        try (process) {
            return users.peer(process);
        }
    }

    @Override
    public boolean hasInput(Runnable later) {
        return socket.hasInput(later);
    }

    @Override
    public InputStream input() {
        return socket.input();
    }

    @Override
    public OutputStream output() {
        return socket.output();
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return Optional.empty();
    }

    /** Does not wait for the host: a local socket accepts no more input, and its host can still read. */
    @Override
    public void drain() throws IOException {
        socket.shutdown();
        Connection.drop(input());
    }

    @Override
    public void abort() {
        process.close();
        socket.close();
    }

    @Override
    public String source() {
        return "user " + Integer.toUnsignedString(userId());
    }

    @Override
    public String toString() {
        return "a local host of user " + Integer.toUnsignedString(userId());
    }
}

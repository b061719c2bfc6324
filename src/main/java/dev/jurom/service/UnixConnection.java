// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** A host of this machine. The kernel says who it is. */
final class UnixConnection implements Connection {

    private final SocketChannel channel;
    private final LocalUsers users;

    UnixConnection(SocketChannel channel, LocalUsers users) {
        this.channel = channel;
        this.users = users;
    }

    @Override
    public Peer identify() throws IOException, RequestRefused {
        return users.peer(channel);
    }

    @Override
    public InputStream input() {
        return Channels.newInputStream(channel);
    }

    @Override
    public OutputStream output() {
        return new FilterOutputStream(Channels.newOutputStream(channel)) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                out.write(bytes, from, length);
            }

            @Override
            public void close() throws IOException {
                channel.shutdownOutput();
            }
        };
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return Optional.empty();
    }

    @Override
    public void drain() throws IOException {
        channel.shutdownOutput();
        Connection.drop(input());
    }

    @Override
    public void abort() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    @Override
    public String toString() {
        return "a local host";
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.wire.Release;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A host that sends requests and does not read the answers. */
public final class NonReadingHost implements AutoCloseable {

    private final SocketChannel channel;
    private final ByteBuffer request = ByteBuffer.wrap(PeerFrames.encode(new Frame.GetGroup(1, 1)));

    private NonReadingHost(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects and sends HELLO. */
    public static NonReadingHost connect(ListenAddress address) throws AssertionError {
        try {
            var channel = SocketChannel.open(UnixDomainSocketAddress.of(((ListenAddress.Unix) address).path()));
            channel.write(ByteBuffer.wrap(PeerFrames.encode(
                    new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT))));
            channel.configureBlocking(false);
            return new NonReadingHost(channel);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends another request if the socket buffer has room. Returns false if the connection is closed. */
    public boolean request() {
        try {
            request.rewind();
            while (channel.write(request) > 0 && request.hasRemaining()) {
                // send the remaining bytes
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

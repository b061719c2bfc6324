// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.FrameException;
import dev.jurom.service.wire.Release;
import dev.jurom.urom.WorkerId;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/** A host that exchanges frames with a service. All waits are bounded. */
final class FrameHost implements AutoCloseable {

    private final SocketChannel channel;
    private long lastRequest;

    FrameHost(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        channel.configureBlocking(false);
    }

    /** Sends HELLO. */
    FrameHost hello() throws IOException {
        send(new Frame.Hello(++lastRequest, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT));
        return this;
    }

    /** Requests a worker with the given plugins. */
    void spawn(long plugins) throws IOException {
        send(new Frame.Spawn(++lastRequest, WorkerId.ANY, plugins, OptionalInt.empty(), Optional.empty(), List.of()));
    }

    /** Releases a worker. */
    void release(long worker) throws IOException {
        send(new Frame.Release(lastRequest, worker));
    }

    private void send(Frame frame) throws IOException {
        var bytes = ByteBuffer.wrap(FrameEncoder.encode(frame));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Receives the next frame, or empty if the connection is closed. */
    Optional<Frame> receive() throws IOException, FrameException {
        var header = new byte[FrameDecoder.HEADER_SIZE];
        if (!read(header, 0)) {
            return Optional.empty();
        }
        var frame = Arrays.copyOf(header, FrameDecoder.length(header, FrameDecoder.CONTROL_MAX));
        return read(frame, header.length)
                ? Optional.of(FrameDecoder.decode(frame, FrameDecoder.CONTROL_MAX))
                : Optional.empty();
    }

    /** Receives the next frame, which must have the given type. */
    <T extends Frame> T receive(Class<T> type) throws IOException, FrameException {
        return type.cast(receive().orElseThrow(() -> new AssertionError("the service closed the connection")));
    }

    private boolean read(byte[] bytes, int from) throws IOException {
        var begin = System.nanoTime();
        var buffer = ByteBuffer.wrap(bytes, from, bytes.length - from);
        while (buffer.hasRemaining()) {
            var count = 0;
            try {
                count = channel.read(buffer);
            } catch (IOException e) { // the connection was reset
                return false;
            }
            if (count < 0) {
                return false;
            }
            if (System.nanoTime() - begin > FaultyDaemon.PATIENCE.toNanos()) {
                throw new AssertionError("the service sent nothing for " + FaultyDaemon.PATIENCE.toSeconds() + " s");
            }
            LockSupport.parkNanos(FaultyDaemon.PAUSE);
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

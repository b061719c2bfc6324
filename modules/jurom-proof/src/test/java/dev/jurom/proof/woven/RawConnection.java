// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.woven;

import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** A socket that sends arbitrary bytes and buffers the received ones. Not thread-safe. */
final class RawConnection implements AutoCloseable {

    private static final int CHUNK = 16384;

    private final SocketChannel channel;
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private boolean closed;

    private RawConnection(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects without sending anything. */
    public static RawConnection open(SocketAddress address) throws IOException {
        var channel = SocketChannel.open(address);
        channel.configureBlocking(false);
        return new RawConnection(channel);
    }

    /** Sends as many bytes as possible without blocking; returns the number of bytes sent. */
    int send(ByteBuffer bytes) {
        try {
            return closed ? 0 : channel.write(bytes);
        } catch (IOException e) {
            closed = true;
            return 0;
        }
    }

    /** Sends bytes that fit into the socket buffer. */
    public void send(byte[] bytes) {
        send(ByteBuffer.wrap(bytes));
    }

    /** Returns whether the peer has closed the connection, after buffering what it sent. */
    public boolean isClosed() {
        var chunk = ByteBuffer.allocate(CHUNK);
        try {
            int got;
            while (!closed && (got = channel.read(chunk.clear())) != 0) {
                closed = got < 0;
                received.write(chunk.array(), 0, Math.max(got, 0));
            }
        } catch (IOException e) {
            closed = true;
        }
        return closed;
    }

    /** Waits for the next complete frame and removes it from the buffer. */
    public Optional<Frame> awaitFrame(Duration patience) throws IOException {
        var deadline = System.nanoTime() + patience.toNanos();
        var frame = takeFrame();
        while (frame.isEmpty() && !closed && System.nanoTime() - deadline < 0) {
            awaitMore(Duration.ofNanos(deadline - System.nanoTime()));
            frame = takeFrame();
        }
        return frame;
    }

    private void awaitMore(Duration patience) throws IOException {
        try (var selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_READ);
            selector.select(Math.max(1, patience.toMillis()));
        }
        isClosed();
    }

    private Optional<Frame> takeFrame() throws IOException {
        var bytes = received.toByteArray();
        if (bytes.length < FrameDecoder.HEADER_SIZE) {
            return Optional.empty();
        }
        try {
            var length = FrameDecoder.length(bytes, FrameDecoder.CONTROL_MAX);
            if (bytes.length < length) {
                return Optional.empty();
            }
            received.reset();
            received.write(bytes, length, bytes.length - length);
            return Optional.of(FrameDecoder.decode(Arrays.copyOf(bytes, length), FrameDecoder.CONTROL_MAX));
        } catch (FrameException e) {
            throw new IOException("invalid frame received: " + e.getMessage(), e);
        }
    }

    /** Registers for notifications that the connection is writable, readable or closed. */
    void register(Selector selector, Object attachment) throws IOException {
        channel.register(selector, SelectionKey.OP_WRITE | SelectionKey.OP_READ, attachment);
    }

    /** Returns why the peer closed a connection, according to its last frame. */
    static String reason(Frame last) {
        return last instanceof Frame.Failure failure
                ? failure.text()
                : "closed after " + last.getClass().getSimpleName();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A non-blocking connection that carries frames. It reads only the frame that the caller expects,
 * and allocates memory for a body only after its length was checked.
 */
final class TcpConnection implements AutoCloseable {

    private static final int DRAINED_AT_ONCE = 1 << 16;
    private static final int MAX_DRAINS = 64;

    private final SocketChannel channel;
    private final ArrayDeque<ByteBuffer> unsent = new ArrayDeque<>();
    private final ByteBuffer header = TcpFrame.buffer(TcpFrame.HEADER_SIZE);
    /** The body of the frame that is being received; null before its header is complete. */
    private @Nullable ByteBuffer body;

    private int type;
    private boolean trusted;

    TcpConnection(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Called when the peer is authenticated: from now on it may send a FAILURE frame. */
    void trust() {
        trusted = true;
    }

    /** Queues a frame for the next {@link #flush}. */
    void send(TcpFrame frame) {
        unsent.add(frame.encode());
    }

    /** Sends queued frames without blocking; returns whether all were sent. */
    boolean flush() throws IOException {
        for (var next = unsent.peek(); next != null; next = unsent.peek()) {
            channel.write(next);
            if (next.hasRemaining()) {
                return false;
            }
            unsent.remove();
        }
        return true;
    }

    /**
     * Receives a frame whose body must have exactly {@code length} bytes. From an authenticated
     * peer, a FAILURE frame may arrive instead, up to its own maximum length.
     *
     * @return the frame, or null if it is not complete yet
     * @throws EOFException if the peer has closed the connection
     * @throws TcpProtocolException if something else was received
     */
    @Nullable
    TcpFrame receive(int expectedType, int length) throws IOException {
        if (body == null) {
            if (!fill(header)) {
                return null;
            }
            body = takeHeader(expectedType, length);
        }
        if (!fill(body)) {
            return null;
        }
        var frame = new TcpFrame(type, body.flip());
        body = null;
        return frame;
    }

    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            var count = channel.read(buffer);
            if (count < 0) {
                throw new EOFException("the connection was closed");
            }
            if (count == 0) {
                return false;
            }
        }
        return true;
    }

    private ByteBuffer takeHeader(int expectedType, int length) throws IOException {
        header.flip();
        var magic = header.getInt();
        type = header.getInt();
        var announced = header.getInt();
        header.clear();
        if (magic != TcpFrame.MAGIC) {
            throw new TcpProtocolException("it sent data that is not a frame");
        }
        if (trusted && type == TcpFrame.FAILURE && announced >= 0 && announced <= TcpFrame.LONGEST_FAILURE) {
            return TcpFrame.buffer(announced);
        } else if (type != expectedType) {
            throw new TcpProtocolException("it sent a frame of type " + type + " instead of type " + expectedType);
        } else if (announced != length) {
            throw new TcpProtocolException("it sent " + Integer.toUnsignedString(announced) + " bytes instead of "
                    + length + ": all blocks must have the same length");
        }
        return TcpFrame.buffer(length);
    }

    /**
     * Closes the connection. Received data is read first: otherwise TCP would reset the connection,
     * and discard sent data.
     */
    @Override
    public void close() {
        try (channel) {
            var unread = ByteBuffer.allocate(DRAINED_AT_ONCE);
            for (var i = 0; i < MAX_DRAINS && channel.read(unread) > 0; i++) {
                unread.clear();
            }
        } catch (IOException e) {
            return; // it is closed in any case
        }
    }
}

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
 * A connection that carries frames, without ever blocking. Nothing is read before it is asked for,
 * and no frame is given room before its length is known to be right.
 */
final class TcpLink implements AutoCloseable {

    private static final int DRAINED_AT_ONCE = 1 << 16;
    private static final int MOST_DRAINED = 64;

    private final SocketChannel channel;
    private final ArrayDeque<ByteBuffer> unsent = new ArrayDeque<>();
    private final ByteBuffer header = TcpFrame.buffer(TcpFrame.HEADER_SIZE);
    /** Of the frame that is being received; null: not even its header is here. */
    private @Nullable ByteBuffer body;

    private int type;
    private boolean trusted;

    TcpLink(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** The other side has proved itself: from now on it may send a FAILURE. */
    void trust() {
        trusted = true;
    }

    /** Has a frame leave with the next {@link #flush}. */
    void send(TcpFrame frame) {
        unsent.add(frame.encode());
    }

    /** Sends what can be sent; returns whether all of it has left. */
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
     * Receives a frame whose body must have exactly {@code length} bytes. From a trusted side, a
     * FAILURE may come in its place, up to its own limit.
     *
     * @return the frame, or null if it is not here yet
     * @throws EOFException if the other side has closed the connection
     * @throws TcpProtocolException if something else has come
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
            throw new TcpProtocolException("it sent something else than a frame");
        }
        if (trusted && type == TcpFrame.FAILURE && announced >= 0 && announced <= TcpFrame.LONGEST_FAILURE) {
            return TcpFrame.buffer(announced);
        } else if (type != expectedType) {
            throw new TcpProtocolException(
                    "it sent a frame of type " + type + " where one of type " + expectedType + " was due");
        } else if (announced != length) {
            throw new TcpProtocolException("it sent " + Integer.toUnsignedString(announced) + " bytes where " + length
                    + " were due: blocks must be equally long");
        }
        return TcpFrame.buffer(length);
    }

    /** Closes the connection. What was sent still arrives: unread bytes would make TCP reset it. */
    @Override
    public void close() {
        try (channel) {
            var unread = ByteBuffer.allocate(DRAINED_AT_ONCE);
            for (var i = 0; i < MOST_DRAINED && channel.read(unread) > 0; i++) {
                unread.clear();
            }
        } catch (IOException e) {
            return; // it is closed for us in any case
        }
    }
}

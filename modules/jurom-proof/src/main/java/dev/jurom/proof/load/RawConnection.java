// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

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

/** A socket that says what it likes, byte by byte, and keeps what it hears. Of one thread. */
public final class RawConnection implements AutoCloseable {

    private static final int CHUNK = 16384;

    private final SocketChannel channel;
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
    private boolean ended;

    private RawConnection(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects and says nothing. */
    public static RawConnection open(SocketAddress address) throws IOException {
        var channel = SocketChannel.open(address);
        channel.configureBlocking(false);
        return new RawConnection(channel);
    }

    /** Says as much of this as the other side takes now; how many bytes that was. */
    int say(ByteBuffer bytes) {
        try {
            return ended ? 0 : channel.write(bytes);
        } catch (IOException e) {
            ended = true;
            return 0;
        }
    }

    /** Says all of it, which is little. */
    public void say(byte[] bytes) {
        say(ByteBuffer.wrap(bytes));
    }

    /** Whether the other side has closed; what it says is kept. */
    public boolean hasEnded() {
        var chunk = ByteBuffer.allocate(CHUNK);
        try {
            int got;
            while (!ended && (got = channel.read(chunk.clear())) != 0) {
                ended = got < 0;
                heard.write(chunk.array(), 0, Math.max(got, 0));
            }
        } catch (IOException e) {
            ended = true;
        }
        return ended;
    }

    /** Waits until something was heard, or the end; whether there is something. */
    boolean awaitWord(Duration patience) throws IOException {
        if (hasEnded() || heard.size() > 0) {
            return heard.size() > 0;
        }
        try (var selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_READ);
            selector.select(patience.toMillis());
        }
        hasEnded();
        return heard.size() > 0;
    }

    /** Waits for the next whole frame, which is forgotten then. */
    public Optional<Frame> awaitFrame(Duration patience) throws IOException {
        var deadline = System.nanoTime() + patience.toNanos();
        var frame = takeFrame();
        while (frame.isEmpty() && !ended && System.nanoTime() - deadline < 0) {
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
        hasEnded();
    }

    private Optional<Frame> takeFrame() throws IOException {
        var bytes = heard.toByteArray();
        if (bytes.length < FrameDecoder.HEADER_SIZE) {
            return Optional.empty();
        }
        try {
            var length = FrameDecoder.length(bytes, FrameDecoder.CONTROL_MAX);
            if (bytes.length < length) {
                return Optional.empty();
            }
            heard.reset();
            heard.write(bytes, length, bytes.length - length);
            return Optional.of(FrameDecoder.decode(Arrays.copyOf(bytes, length), FrameDecoder.CONTROL_MAX));
        } catch (FrameException e) {
            throw new IOException("what was heard is no frame: " + e.getMessage(), e);
        }
    }

    /** Has a selector tell when the other side takes more, says something or closes. */
    void register(Selector selector, Object attachment) throws IOException {
        channel.register(selector, SelectionKey.OP_WRITE | SelectionKey.OP_READ, attachment);
    }

    /** Why the other side has closed, as far as it said so. */
    String why() throws IOException {
        return awaitFrame(Duration.ZERO)
                .map(frame -> frame instanceof Frame.Failure failure
                        ? failure.text()
                        : "closed after " + frame.getClass().getSimpleName())
                .orElse("closed without a word");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

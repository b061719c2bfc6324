// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.sessions;

import dev.jurom.service.ServiceOfSessions;
import dev.jurom.service.connections.ByteBudget;
import dev.jurom.service.connections.Connection;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Confinement;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.FrameException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * Fuzz target: a host that sends any frames in any order. The session ends without an exception when the host
 * disconnects, holds no resources then, and has sent only valid frames, starting with WELCOME or an error.
 */
public final class SessionFuzz {

    private static final int BYTES = 8 << 20;
    private static final int TYPES = 6;
    private static final SessionHost HOST = ServiceOfSessions.open();
    private static final int USER = Credentials.ofThisProcess().userId();

    private SessionFuzz() {}

    /** Executes an input: frames, each a byte for the kind followed by the content. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException, InterruptedException {
        var connection = new Memory(conversation(ByteBuffer.wrap(input)));
        var budget = new ByteBudget(BYTES, BYTES);
        var memory = new Session.Memory(budget.share(), budget.share(), new ReentrantLock());
        var peer = new Peer(USER, Optional.empty(), Optional.empty(), Confinement.UNKNOWN, "a host");
        var session = new Session(HOST, 1, connection, peer, memory, Duration.ofMinutes(1));
        if (!session.run(() -> {})) {
            throw new AssertionError("the session did not end when its host disconnected");
        }
        if (!memory.requests().isIdle() || session.references() != 0) {
            throw new AssertionError("the session holds resources after its end");
        }
        check(connection.output.toByteArray());
    }

    private static byte[] conversation(ByteBuffer input) throws IOException {
        var sent = new ByteArrayOutputStream();
        while (input.remaining() > 1) {
            var kind = input.get() & 0xFF;
            if (kind % 8 == 7) {
                var raw = new byte[Math.min(input.get() & 0xFF, input.remaining())];
                input.get(raw);
                sent.write(raw);
            } else {
                sent.write(damaged(frame(kind % 8 % TYPES, input), kind, input));
            }
        }
        return sent.toByteArray();
    }

    private static byte[] frame(int type, ByteBuffer input) {
        var id = 1L;
        var number = (long) input.get();
        return FrameEncoder.encode(
                switch (type) {
                    case 0 -> new Frame.Hello(id, number == 1 ? 64 : HOST.maxMessageSize(), "0.1.0");
                    case 1 ->
                        new Frame.Spawn(
                                id,
                                number,
                                number & 1,
                                OptionalInt.empty(),
                                Optional.empty(),
                                environment((int) number & 7));
                    case 2 -> new Frame.Release(id, number);
                    case 3 -> new Frame.GetGroup(id, (int) number);
                    case 4 -> new Frame.Ping(id);
                    default -> new Frame.Detach(id);
                });
    }

    private static List<String> environment(int count) {
        var value = "x".repeat(1 << 2 * count);
        return IntStream.range(0, count).mapToObj(i -> "NAME" + i + "=" + value).toList();
    }

    /** Changes one of the first 64 bytes of one in eight frames, or truncates the frame. */
    private static byte[] damaged(byte[] frame, int kind, ByteBuffer input) {
        if (kind < 224 || input.remaining() < 2) {
            return frame;
        }
        var at = (input.get() & 0x3F) % frame.length;
        frame[at] = input.get();
        return kind < 240 ? frame : Arrays.copyOf(frame, at);
    }

    /** Checks that the answers are complete frames, the first of which is WELCOME or an error. */
    private static void check(byte[] answers) {
        var at = 0;
        while (at + FrameDecoder.HEADER_SIZE <= answers.length) {
            var length = FrameDecoder.HEADER_SIZE
                    + ByteBuffer.wrap(answers).order(ByteOrder.LITTLE_ENDIAN).getInt(at + 4);
            var frame = Arrays.copyOfRange(answers, at, at + length);
            if (frame[2] != 3) { // an error in the host's protocol version
                return;
            }
            try {
                var answer = FrameDecoder.decode(frame, HOST.maxMessageSize());
                if (at == 0 && !(answer instanceof Frame.Welcome) && !(answer instanceof Frame.Failure)) {
                    throw new AssertionError("sent before WELCOME: " + answer);
                }
            } catch (FrameException e) {
                throw new AssertionError("the answer is not a valid frame", e);
            }
            at += length;
        }
    }

    /** A connection of a host that has sent all of its frames and reads all answers. */
    private static final class Memory implements Connection {

        private final ByteArrayInputStream input;
        private final ByteArrayOutputStream output = new ByteArrayOutputStream();

        private Memory(byte[] sent) {
            input = new ByteArrayInputStream(sent);
        }

        @Override
        public Peer identify() {
            throw new IllegalStateException("the peer is known");
        }

        @Override
        public boolean hasInput(Runnable later) {
            return true;
        }

        @Override
        public ByteArrayInputStream input() {
            return input;
        }

        @Override
        public ByteArrayOutputStream output() {
            return output;
        }

        @Override
        public Optional<InetAddress> localAddress() {
            return Optional.empty();
        }

        @Override
        public void drain() {
            input.readAllBytes();
        }

        @Override
        public void abort() {
            // The host has disconnected already.
        }

        @Override
        public String source() {
            return "memory";
        }

        @Override
        public String toString() {
            return "a connection in memory";
        }
    }
}

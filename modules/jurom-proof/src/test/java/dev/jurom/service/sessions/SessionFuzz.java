// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.sessions;

import dev.jurom.service.ServiceOfSessions;
import dev.jurom.service.connections.ByteBudget;
import dev.jurom.service.connections.Connection;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.Confinement;
import dev.jurom.service.identity.Peer;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Fuzz target: a host that sends any frames in any order. When the host disconnects, the session must end
 * without an exception and release all resources. All frames that it has sent must be valid, and the first
 * one must be WELCOME or an error.
 */
public final class SessionFuzz {

    private static final int BYTES = 8 << 20;
    private static final int TYPES = 6;
    private static final int HELLO = 1;
    private static final int WELCOME = 4;
    private static final int ERROR = 5;
    private static final int SPAWN = 6;
    private static final int RELEASE = 8;
    private static final int GET_GROUP = 11;
    private static final int PING = 25;
    private static final int DETACH = 34;
    /** SPAWNED, RELEASED, WORKER_GONE and GROUP. */
    private static final Set<Integer> ANSWERS = Set.of(7, 9, 10, 12);

    private static final int HAS_ENVIRONMENT = 4;
    private static final int LONGEST = 1 << 17;
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

    /** Returns a frame of one of several types, of which a session accepts only some: see docs/wire.md. */
    private static byte[] frame(int type, ByteBuffer input) {
        var number = (long) input.get();
        return switch (type) {
            case 0 ->
                frame(
                        HELLO,
                        body -> body.putInt(number == 1 ? 64 : HOST.maxMessageSize())
                                .putInt(0)
                                .put(Arrays.copyOf(new byte[] {'0', '.', '1'}, 16)));
            case 1 -> spawn(number, environment((int) number & 7));
            case 2 -> frame(RELEASE, body -> body.putLong(number));
            case 3 -> frame(GET_GROUP, body -> body.putInt((int) number).putInt(0));
            case 4 -> frame(PING, body -> {});
            default -> frame(DETACH, body -> {});
        };
    }

    private static byte[] spawn(long number, List<String> environment) {
        var strings = String.join("", environment).getBytes(StandardCharsets.US_ASCII);
        return frame(
                SPAWN,
                body -> body.putLong(number)
                        .putLong(number & 1)
                        .putInt(environment.isEmpty() ? 0 : HAS_ENVIRONMENT)
                        .putInt(0)
                        .put(new byte[128])
                        .putInt(environment.size())
                        .putInt(strings.length)
                        .put(strings));
    }

    private static byte[] frame(int type, Consumer<ByteBuffer> body) {
        var frame = ByteBuffer.allocate(LONGEST).order(ByteOrder.LITTLE_ENDIAN);
        frame.putShort((short) 0x554A).put((byte) 3).put((byte) type).putInt(0).putLong(1);
        body.accept(frame);
        frame.putInt(4, frame.position() - FrameDecoder.HEADER_SIZE);
        return Arrays.copyOf(frame.array(), frame.position());
    }

    private static List<String> environment(int count) {
        var value = "x".repeat(1 << 2 * count);
        return IntStream.range(0, count)
                .mapToObj(i -> "NAME" + i + "=" + value + '\0')
                .toList();
    }

    /** Changes one of the first 64 bytes of a frame, and may truncate it there, in one of eight frames. */
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
            var isFirst = frame[3] == WELCOME || frame[3] == ERROR;
            if (!isFirst && (at == 0 || !ANSWERS.contains((int) frame[3]))) {
                throw new AssertionError("an answer of type " + frame[3] + " at offset " + at);
            }
            try {
                if (length != FrameDecoder.length(frame)) {
                    throw new AssertionError("the answer does not have the length in its header");
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

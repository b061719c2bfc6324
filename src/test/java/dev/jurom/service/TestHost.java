// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.testing.Waiting;
import dev.jurom.ucx.UcxContext;
import dev.jurom.ucx.UcxEndpoint;
import dev.jurom.ucx.UcxFeature;
import dev.jurom.ucx.UcxWorker;
import dev.jurom.urom.WorkerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;

/** A host that speaks to a service frame by frame, well or badly. For one thread. */
final class TestHost implements AutoCloseable {

    /** The user id that it gives: its own. */
    static final int USER_ID = ownUserId();

    private static final Bytes NONCE = Bytes.of(new byte[Frame.NONCE_SIZE]);

    private final UcxContext context;
    private final UcxWorker worker;
    private final UcxEndpoint endpoint;
    private final Queue<Frame> received = new ArrayDeque<>();
    private boolean lost;
    private long lastRequest;

    /** Connects and says nothing yet. */
    TestHost(InetSocketAddress address) {
        DocaRuntime.current();
        context = UcxContext.open(EnumSet.of(UcxFeature.ACTIVE_MESSAGES), Map.of("TLS", "tcp"));
        worker = context.createWorker();
        worker.handle(Session.MESSAGE_ID, message -> {
            try (var arena = Arena.ofConfined()) {
                var target = arena.allocate(message.length());
                message.receive(target);
                received.add(FrameDecoder.decode(target.toArray(ValueLayout.JAVA_BYTE), 4096));
            } catch (FrameException e) {
                throw new AssertionError("the service sends no frame", e);
            }
        });
        endpoint = worker.connect(address, (failed, status) -> lost = true);
    }

    /** A host that is admitted, without a key. */
    static TestHost admitted(UromDaemon daemon) {
        var host = new TestHost(daemon.address());
        host.authenticate(ServiceKey.none(), DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
        assertInstanceOf(Frame.Welcome.class, host.receive());
        return host;
    }

    /** Goes through the handshake up to the service's verdict. */
    Frame.Hello authenticate(ServiceKey key, int maxMessageSize) {
        return authenticate(key, maxMessageSize, USER_ID);
    }

    /** As {@link #authenticate(ServiceKey, int)}, as another user. */
    Frame.Hello authenticate(ServiceKey key, int maxMessageSize, int userId) {
        var hello = new Frame.Hello(nextRequest(), NONCE, maxMessageSize, userId);
        send(hello);
        var challenge = assertInstanceOf(Frame.Challenge.class, receive());
        send(new Frame.Authenticate(hello.requestId(),
                key.hostProof(hello, challenge.serverNonce())));
        return hello;
    }

    private static int ownUserId() {
        try {
            return ServiceKey.ownUserId();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long nextRequest() {
        return ++lastRequest;
    }

    /** Asks for a new worker with some plugins. */
    Frame.Spawn spawnAny(long plugins) {
        return spawn(WorkerId.ANY, plugins, OptionalInt.empty(), List.of());
    }

    /** Asks for a worker. */
    Frame.Spawn spawn(long workerId, long plugins, OptionalInt group, List<String> environment) {
        var spawn = new Frame.Spawn(nextRequest(), workerId, plugins, group, Optional.empty(),
                environment);
        send(spawn);
        return spawn;
    }

    /** Gives a worker back and waits for the answer. */
    void release(long workerId) {
        send(new Frame.Release(nextRequest(), workerId));
        assertInstanceOf(Frame.Released.class, receive());
    }

    void send(Frame frame) {
        send(FrameEncoder.encode(frame));
    }

    /** Sends any bytes. */
    void send(byte[] bytes) {
        send(Session.MESSAGE_ID, bytes);
    }

    /** Sends any bytes under any active message id. */
    void send(int messageId, byte[] bytes) {
        var request = endpoint.send(messageId, bytes, UcxEndpoint.REPLY);
        Waiting.until("the frame is sent", () -> progress() && request.isDone());
    }

    /** The next frame of the service. */
    Frame receive() {
        Waiting.until("a frame arrives", () -> progress() && (lost || !received.isEmpty()));
        if (received.isEmpty()) {
            throw new AssertionError("the service has closed the connection");
        }
        return received.remove();
    }

    /** The next frame, which is of this type. */
    <T extends Frame> T receive(Class<T> type) {
        return assertInstanceOf(type, receive());
    }

    /** Waits until the service has closed the connection. */
    void awaitLost() {
        Waiting.until("the service closes the connection", () -> progress() && lost);
    }

    private boolean progress() {
        while (worker.progress()) {
            // until nothing moves
        }
        return true;
    }

    @Override
    public void close() {
        if (endpoint.isOpen()) {
            var closed = endpoint.abort();
            Waiting.until("the connection is closed", () -> progress() && closed.isDone());
        }
        worker.close();
        context.close();
    }
}

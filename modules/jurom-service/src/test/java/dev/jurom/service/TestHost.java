// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.jurom.fixture.Waiting;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.settings.ListenAddress;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameDecoder;
import dev.jurom.service.wire.FrameException;
import dev.jurom.service.wire.PeerFrames;
import dev.jurom.service.wire.Release;
import dev.jurom.urom.WorkerId;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A host that sends valid or invalid frames to a service. Not thread-safe. */
public final class TestHost implements AutoCloseable {

    private final Closeable socket;
    private final OutputStream output;
    private final Queue<Frame> received = new ConcurrentLinkedQueue<>();
    /** The requests for which workers were granted, the oldest first. */
    private final Map<Long, Queue<Long>> held = new ConcurrentHashMap<>();

    private volatile byte version; // of the last frame
    private volatile boolean lost;
    private long lastRequest;

    /** Connects to a Unix socket without sending anything. */
    public TestHost(ListenAddress address) {
        this(connect(address));
    }

    private TestHost(SocketChannel channel) {
        this(channel, Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }

    /** Uses an established connection. */
    public TestHost(Closeable socket, InputStream input, OutputStream output) {
        this.socket = socket;
        this.output = output;
        Thread.ofVirtual().start(() -> receiveAll(input));
    }

    private static SocketChannel connect(ListenAddress address) {
        try {
            return SocketChannel.open(UnixDomainSocketAddress.of(
                    assertInstanceOf(ListenAddress.Unix.class, address).path()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void receiveAll(InputStream input) {
        try {
            while (true) {
                var header = input.readNBytes(FrameDecoder.HEADER_SIZE);
                if (header.length < FrameDecoder.HEADER_SIZE) {
                    break;
                }
                version = header[2];
                if (Release.isForeign(header)) { // ERROR has the same format in all versions
                    header[2] = PeerFrames.encode(new Frame.Ping(0))[2];
                }
                var length = FrameDecoder.length(header);
                var frame = Arrays.copyOf(header, length);
                input.readNBytes(frame, header.length, length - header.length);
                var decoded = PeerFrames.decode(frame);
                if (decoded instanceof Frame.Spawned spawned) {
                    held.computeIfAbsent(spawned.workerId(), id -> new ConcurrentLinkedQueue<>())
                            .add(spawned.requestId());
                }
                received.add(decoded);
            }
        } catch (FrameException e) {
            throw new AssertionError("the service sent a malformed frame", e);
        } catch (IOException e) {
            // The connection is closed.
        } finally {
            lost = true;
        }
    }

    /** Connects a host and waits until it is admitted. */
    public static TestHost admitted(UromDaemon daemon) {
        return admitted(new TestHost(daemon.address()));
    }

    /** Waits until a host is admitted and returns it. */
    public static TestHost admitted(TestHost host) {
        host.hello(DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE);
        host.receive(Frame.Welcome.class);
        return host;
    }

    /** Returns the protocol version of the last frame received. */
    public byte version() {
        return version;
    }

    /** Sends HELLO. */
    public Frame.Hello hello(int maxMessageSize) {
        var hello = new Frame.Hello(nextRequest(), maxMessageSize, Release.CURRENT);
        send(hello);
        return hello;
    }

    public long nextRequest() {
        return ++lastRequest;
    }

    /** Requests a new worker with the given plugins. */
    public Frame.Spawn spawnAny(long plugins) {
        return spawn(WorkerId.ANY, plugins, OptionalInt.empty(), List.of());
    }

    /** Requests a worker. */
    public Frame.Spawn spawn(long workerId, long plugins, OptionalInt group, List<String> environment) {
        var spawn = Frame.Spawn.of(nextRequest(), workerId, plugins)
                .withGroup(group)
                .withEnvironment(environment);
        send(spawn);
        return spawn;
    }

    /** Releases a worker and waits for the answer. */
    public void release(long workerId) {
        send(new Frame.Release(held.get(workerId).remove(), workerId));
        assertInstanceOf(Frame.Released.class, receive());
    }

    public void send(Frame frame) {
        send(PeerFrames.encode(frame));
    }

    /** Sends bytes. */
    public void send(byte[] bytes) {
        try {
            output.write(bytes);
            output.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends bytes, although the service may close the connection meanwhile. */
    public void trySend(byte[] bytes) {
        try {
            send(bytes);
        } catch (UncheckedIOException e) {
            // The service has closed the connection.
        }
    }

    /** Returns whether a frame is available. */
    public boolean hasReceived() {
        return !received.isEmpty();
    }

    /** Waits for the next frame of the service. */
    public Frame receive() {
        Waiting.until("a frame arrives", () -> lost || !received.isEmpty());
        var frame = received.poll();
        if (frame == null) {
            throw new AssertionError("the service has closed the connection");
        }
        return frame;
    }

    /** Waits for the next frame, which must be of the given type. */
    public <T extends Frame> T receive(Class<T> type) {
        return assertInstanceOf(type, receive());
    }

    public boolean isLost() {
        return lost;
    }

    /** Waits until the service has closed the connection. */
    public void awaitLost() {
        Waiting.until("the service closes the connection", () -> lost);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.Release;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Connections to a Unix socket: idle sessions, or connections that send nothing. */
final class UnixSessions implements ClientGroup {

    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final Supplier<SocketAddress> address;
    private final int count;
    private final boolean silent;
    private final List<RawConnection> connections = new ArrayList<>();
    private final DisconnectReasons reasons = new DisconnectReasons();

    private UnixSessions(String name, Supplier<SocketAddress> address, int count, boolean silent) {
        this.name = name;
        this.address = address;
        this.count = count;
        this.silent = silent;
    }

    /** Returns a group of idle sessions. */
    static UnixSessions idle(SocketAddress service, int count) {
        return new UnixSessions("idle sessions", () -> service, count, false);
    }

    /** Returns a group of connections that send nothing. */
    static UnixSessions silent(String name, Supplier<SocketAddress> address, int count) {
        return new UnixSessions(name, address, count, true);
    }

    /**
     * Sends HELLO and waits for WELCOME. If the session is rejected, counts the reason and closes the
     * connection.
     */
    static boolean enter(RawConnection connection, DisconnectReasons reasons) throws IOException {
        connection.send(
                FrameEncoder.encode(new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
        var answer = connection.awaitFrame(PATIENCE);
        if (answer.isPresent() && answer.get() instanceof Frame.Welcome) {
            return true;
        }
        reasons.count(answer.map(frame -> frame instanceof Frame.Failure failure ? failure.text() : frame.toString())
                .orElse(
                        connection.isClosed()
                                ? "closed without a message"
                                : "not answered within " + PATIENCE.toSeconds() + " s"));
        connection.close();
        return false;
    }

    @Override
    public void connect() throws IOException {
        for (var i = 0; i < count; i++) {
            try {
                var connection = RawConnection.open(address.get());
                if (silent || enter(connection, reasons)) {
                    connections.add(connection);
                }
            } catch (IOException e) {
                reasons.count(String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public GroupStatus status() throws IOException {
        for (var connection : List.copyOf(connections)) {
            if (connection.isClosed()) {
                reasons.count(connection.closeReason());
                connections.remove(connection);
                connection.close();
            }
        }
        return new GroupStatus(name, count, connections.size(), reasons.reasons(), "");
    }

    @Override
    public void disconnect() throws IOException {
        for (var connection : connections) {
            connection.close();
        }
        connections.clear();
        reasons.clear();
    }
}

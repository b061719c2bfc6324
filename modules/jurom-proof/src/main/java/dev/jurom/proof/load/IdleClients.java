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

/** Connections to a socket: idle sessions, or connections that send nothing. */
final class IdleClients extends ClientGroup {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final SocketAddress address;
    private final boolean silent;
    private final List<RawConnection> connections = new ArrayList<>();

    /** Creates the group; {@code silent} connections do not send HELLO. */
    IdleClients(String name, SocketAddress address, int count, boolean silent) {
        super(name, count);
        this.address = address;
        this.silent = silent;
    }

    @Override
    void connect() {
        for (var i = 0; i < requested(); i++) {
            try {
                var connection = RawConnection.open(address);
                if (silent || isWelcome(connection)) {
                    connections.add(connection);
                }
            } catch (IOException e) {
                count(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Sends HELLO. If the service does not answer with WELCOME, counts the reason and closes the connection. */
    private boolean isWelcome(RawConnection connection) throws IOException {
        connection.send(
                FrameEncoder.encode(new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
        var answer = connection.awaitFrame(PATIENCE);
        if (answer.isPresent() && answer.get() instanceof Frame.Welcome) {
            return true;
        }
        count(answer.map(RawConnection::reason)
                .orElse(
                        connection.isClosed()
                                ? "closed without a message"
                                : "not answered within " + PATIENCE.toSeconds() + " s"));
        connection.close();
        return false;
    }

    @Override
    int open() throws IOException {
        for (var connection : List.copyOf(connections)) {
            if (connection.isClosed()) {
                count(connection
                        .awaitFrame(Duration.ZERO)
                        .map(RawConnection::reason)
                        .orElse("closed without a message"));
                connections.remove(connection);
                connection.close();
            }
        }
        return connections.size();
    }

    @Override
    void disconnect() throws IOException {
        for (var connection : connections) {
            connection.close();
        }
        connections.clear();
    }
}

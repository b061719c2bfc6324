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

/** Connections at a Unix socket: sessions that do nothing, or connections that never say a word. */
final class UnixSessions implements CrowdPart {

    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final Supplier<SocketAddress> address;
    private final int count;
    private final boolean silent;
    private final List<RawConnection> connections = new ArrayList<>();
    private final Ends ends = new Ends();

    private UnixSessions(String name, Supplier<SocketAddress> address, int count, boolean silent) {
        this.name = name;
        this.address = address;
        this.count = count;
        this.silent = silent;
    }

    /** Sessions of a service that are open and do nothing. */
    static UnixSessions idle(SocketAddress service, int count) {
        return new UnixSessions("idle sessions", () -> service, count, false);
    }

    /** Connections that never say who they are. */
    static UnixSessions silent(String name, Supplier<SocketAddress> address, int count) {
        return new UnixSessions(name, address, count, true);
    }

    /** Says HELLO and hears WELCOME; otherwise counts why not, and closes. */
    static boolean enter(RawConnection connection, Ends ends) throws IOException {
        connection.say(
                FrameEncoder.encode(new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
        var answer = connection.awaitFrame(PATIENCE);
        if (answer.isPresent() && answer.get() instanceof Frame.Welcome) {
            return true;
        }
        ends.count(answer.map(frame -> frame instanceof Frame.Failure failure ? failure.text() : frame.toString())
                .orElse(
                        connection.hasEnded()
                                ? "closed without a word"
                                : "not answered within " + PATIENCE.toSeconds() + " s"));
        connection.close();
        return false;
    }

    @Override
    public void gather() throws IOException {
        for (var i = 0; i < count; i++) {
            try {
                var connection = RawConnection.open(address.get());
                if (silent || enter(connection, ends)) {
                    connections.add(connection);
                }
            } catch (IOException e) {
                ends.count(String.valueOf(e.getMessage()));
            }
        }
    }

    @Override
    public Standing standing() throws IOException {
        for (var connection : List.copyOf(connections)) {
            if (connection.hasEnded()) {
                ends.count(connection.why());
                connections.remove(connection);
                connection.close();
            }
        }
        return new Standing(name, count, connections.size(), ends.reasons(), "");
    }

    @Override
    public void disperse() throws IOException {
        for (var connection : connections) {
            connection.close();
        }
        connections.clear();
        ends.clear();
    }
}

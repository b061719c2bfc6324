// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.service.settings.DaemonConfiguration;
import dev.jurom.service.wire.Frame;
import dev.jurom.service.wire.FrameEncoder;
import dev.jurom.service.wire.Release;
import dev.jurom.service.wire.Ticket;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Connections to the socket of one worker that have presented a ticket and never attach. They do not receive
 * the rings that the worker sends.
 */
final class TicketClients implements ClientGroup {

    private static final String UNIX = "unix:";

    private final SocketAddress service;
    private final long worker;
    private final int idle;
    private final List<RawConnection> connections = new ArrayList<>();
    private final DisconnectReasons reasons = new DisconnectReasons();
    private RawConnection session;
    private SocketAddress address;

    TicketClients(SocketAddress service, long worker, int idle) {
        this.service = service;
        this.worker = worker;
        this.idle = idle;
    }

    @Override
    public void connect() throws IOException {
        session = RawConnection.open(service);
        session.send(
                FrameEncoder.encode(new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
        var welcome = session.awaitFrame(UnixSessions.PATIENCE);
        if (!(welcome.orElse(null) instanceof Frame.Welcome it)) {
            throw new IOException("the service did not send WELCOME: " + welcome);
        }
        var graph = it.plugins().stream()
                .filter(plugin -> plugin.name().equals(GraphPlugin.NAME))
                .findFirst()
                .orElseThrow()
                .id();
        Optional<String> workerAddress = Optional.empty();
        for (var i = 0; i < idle; i++) {
            var spawned = spawn(i + 2, graph);
            workerAddress = spawned.map(Frame.Spawned::address);
            if (spawned.isPresent()) {
                enter(spawned.get());
            }
        }
        address = socket(workerAddress.orElseThrow(
                () -> new IOException("worker " + worker + " did not start: " + reasons.reasons())));
    }

    /** Returns the address of the worker, known once the clients are connected. */
    SocketAddress address() {
        return address;
    }

    private Optional<Frame.Spawned> spawn(int request, long plugins) throws IOException {
        session.send(FrameEncoder.encode(
                new Frame.Spawn(request, worker, plugins, OptionalInt.empty(), Optional.empty(), List.of())));
        var answer = session.awaitFrame(UnixSessions.PATIENCE).orElseThrow(() -> new IOException("no answer to SPAWN"));
        if (answer instanceof Frame.Spawned spawned) {
            return Optional.of(spawned);
        }
        reasons.count(answer instanceof Frame.Failure failure ? failure.text() : answer.toString());
        return Optional.empty();
    }

    private void enter(Frame.Spawned spawned) throws IOException {
        var connection = RawConnection.open(socket(spawned.address()));
        connection.send(ByteBuffer.allocate(Ticket.ID_SIZE + Ticket.KEY_SIZE)
                .put(spawned.ticket().id().toArray())
                .put(spawned.ticket().key().toArray())
                .array());
        if (connection.awaitData(UnixSessions.PATIENCE)) {
            connections.add(connection);
        } else {
            reasons.count(connection.isClosed() ? "closed by the worker" : "no rings received in time");
            connection.close();
        }
    }

    private static SocketAddress socket(String address) {
        return UnixDomainSocketAddress.of(Path.of(address.substring(UNIX.length())));
    }

    @Override
    public GroupStatus status() throws IOException {
        for (var connection : List.copyOf(connections)) {
            if (connection.isClosed()) {
                reasons.count("closed by the worker");
                connections.remove(connection);
                connection.close();
            }
        }
        return new GroupStatus("unattached at one worker", idle, connections.size(), reasons.reasons(), "");
    }

    @Override
    public void disconnect() throws IOException {
        for (var connection : connections) {
            connection.close();
        }
        connections.clear();
        reasons.clear();
        session.close();
    }
}

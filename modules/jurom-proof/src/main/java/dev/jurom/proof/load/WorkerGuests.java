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
 * Connections at the socket of one worker that have shown a ticket and do nothing more. The rings
 * that the worker hands over are not taken.
 */
final class WorkerGuests implements CrowdPart {

    private static final String UNIX = "unix:";

    private final SocketAddress service;
    private final long worker;
    private final int idle;
    private final List<RawConnection> connections = new ArrayList<>();
    private final Ends ends = new Ends();
    private RawConnection session;
    private SocketAddress address;

    WorkerGuests(SocketAddress service, long worker, int idle) {
        this.service = service;
        this.worker = worker;
        this.idle = idle;
    }

    @Override
    public void gather() throws IOException {
        session = RawConnection.open(service);
        session.say(
                FrameEncoder.encode(new Frame.Hello(1, DaemonConfiguration.DEFAULT_MAX_MESSAGE_SIZE, Release.CURRENT)));
        var welcome = session.awaitFrame(UnixSessions.PATIENCE);
        if (!(welcome.orElse(null) instanceof Frame.Welcome it)) {
            throw new IOException("The service does not welcome a host: " + welcome);
        }
        var graph = it.plugins().stream()
                .filter(plugin -> plugin.name().equals(GraphPlugin.NAME))
                .findFirst()
                .orElseThrow()
                .id();
        Optional<String> place = Optional.empty();
        for (var i = 0; i < idle; i++) {
            var spawned = spawn(i + 2, graph);
            place = spawned.map(Frame.Spawned::address);
            if (spawned.isPresent()) {
                enter(spawned.get());
            }
        }
        address = socket(
                place.orElseThrow(() -> new IOException("No worker " + worker + " is to be had: " + ends.reasons())));
    }

    /** Where the worker listens, once they are there. */
    SocketAddress address() {
        return address;
    }

    private Optional<Frame.Spawned> spawn(int request, long plugins) throws IOException {
        session.say(FrameEncoder.encode(
                new Frame.Spawn(request, worker, plugins, OptionalInt.empty(), Optional.empty(), List.of())));
        var answer =
                session.awaitFrame(UnixSessions.PATIENCE).orElseThrow(() -> new IOException("SPAWN is not answered"));
        if (answer instanceof Frame.Spawned spawned) {
            return Optional.of(spawned);
        }
        ends.count(answer instanceof Frame.Failure failure ? failure.text() : answer.toString());
        return Optional.empty();
    }

    private void enter(Frame.Spawned spawned) throws IOException {
        var connection = RawConnection.open(socket(spawned.address()));
        connection.say(ByteBuffer.allocate(Ticket.ID_SIZE + Ticket.KEY_SIZE)
                .put(spawned.ticket().id().toArray())
                .put(spawned.ticket().key().toArray())
                .array());
        if (connection.awaitWord(UnixSessions.PATIENCE)) {
            connections.add(connection);
        } else {
            ends.count(connection.hasEnded() ? "closed by the worker" : "not let in in time");
            connection.close();
        }
    }

    private static SocketAddress socket(String address) {
        return UnixDomainSocketAddress.of(Path.of(address.substring(UNIX.length())));
    }

    @Override
    public Standing standing() throws IOException {
        for (var connection : List.copyOf(connections)) {
            if (connection.hasEnded()) {
                ends.count("closed by the worker");
                connections.remove(connection);
                connection.close();
            }
        }
        return new Standing("let in at one worker", idle, connections.size(), ends.reasons(), "");
    }

    @Override
    public void disperse() throws IOException {
        for (var connection : connections) {
            connection.close();
        }
        connections.clear();
        ends.clear();
        session.close();
    }
}

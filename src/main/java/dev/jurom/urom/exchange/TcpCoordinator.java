// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Participant 0, which accepts the others, collects their blocks and sends all blocks to each. */
final class TcpCoordinator extends TcpExchange {

    /**
     * Maximum number of connections that authenticate concurrently; others wait in the queue of the
     * listener.
     */
    private static final int MAX_HANDSHAKES = 64;

    private final ServerSocketChannel listener;
    private final InetSocketAddress address;
    private final List<TcpHandshake> handshakes = new ArrayList<>();
    private final TcpConnection[] members; // by index; null if not connected yet, and for this participant
    private final byte[][] blocks; // the blocks of the current all-gather; null if not received yet
    /** The blocks of all participants, while they are sent; null if some are missing. */
    private byte @Nullable [] gathered;

    private TcpCoordinator(
            ServerSocketChannel listener, InetSocketAddress address, int participants, byte[] token, Duration timeout) {
        super(participants, 0, token, timeout);
        this.listener = listener;
        this.address = address;
        this.members = new TcpConnection[participants];
        this.blocks = new byte[participants][];
    }

    static TcpCoordinator open(InetSocketAddress address, int participants, byte[] token, Duration timeout) {
        try {
            var listener = ServerSocketChannel.open();
            try {
                listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                listener.configureBlocking(false);
                listener.bind(address);
                return new TcpCoordinator(
                        listener, (InetSocketAddress) listener.getLocalAddress(), participants, token, timeout);
            } catch (IOException | RuntimeException e) {
                listener.close();
                throw e;
            }
        } catch (IOException e) {
            throw new ExchangeException(
                    DocaError.IO_FAILED, "Participant 0 cannot listen at " + address + ": " + e.getMessage(), e);
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    void begun(byte[] block) {
        blocks[0] = block;
        gathered = null;
    }

    @Override
    byte @Nullable [] advance() throws IOException {
        accept();
        if (gathered == null) {
            collect();
        }
        return gathered != null && send() ? gathered : null;
    }

    private void accept() throws IOException {
        while (handshakes.size() < MAX_HANDSHAKES) {
            var channel = listener.accept();
            if (channel == null) {
                break;
            }
            handshakes.add(new TcpHandshake(new TcpConnection(channel), secret));
        }
        handshakes.removeIf(this::authenticate);
    }

    /**
     * Advances the authentication of a connection; returns whether it has ended, with a member or a
     * rejection.
     */
    private boolean authenticate(TcpHandshake handshake) {
        switch (handshake.advance()) {
            case AUTHENTICATING -> {
                return false;
            }
            case REJECTED -> {
                return true;
            }
            case AUTHENTICATED -> {}
        }
        var problem = problem(handshake);
        if (problem == null) {
            members[handshake.index()] = handshake.connection();
        } else {
            handshake.reject(problem);
        }
        return true;
    }

    private @Nullable String problem(TcpHandshake handshake) {
        if (handshake.participants() != participants()) {
            return "participant " + handshake.index() + " expects " + handshake.participants()
                    + " participants, but participant 0 expects " + participants();
        }
        if (handshake.index() < 1 || handshake.index() >= participants()) {
            return "the index " + handshake.index() + " is not from 1 to " + (participants() - 1);
        }
        return members[handshake.index()] == null
                ? null
                : "participant " + handshake.index() + " has already joined: each needs its own index";
    }

    private void collect() throws IOException {
        var length = blocks[0].length;
        for (var i = 1; i < members.length; i++) {
            if (members[i] != null && blocks[i] == null) {
                blocks[i] = receive(i, length);
            }
        }
        for (var block : blocks) {
            if (block == null) {
                return;
            }
        }
        gathered = new byte[Math.multiplyExact(length, blocks.length)];
        for (var i = 0; i < blocks.length; i++) {
            System.arraycopy(blocks[i], 0, gathered, i * length, length);
            blocks[i] = null;
        }
        for (var i = 1; i < members.length; i++) {
            members[i].send(TcpFrame.of(TcpFrame.BLOCKS, gathered));
        }
    }

    private byte @Nullable [] receive(int index, int length) {
        try {
            var frame = members[index].receive(TcpFrame.BLOCK, length);
            return frame == null ? null : frame.remaining();
        } catch (TcpProtocolException e) {
            throw failed(
                    DocaError.INVALID_VALUE,
                    "Participant " + index + " of " + participants() + " violated the protocol: " + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw disconnected(index, e);
        }
    }

    /** Sends pending data; returns whether everything was sent. */
    private boolean send() {
        var all = true;
        for (var i = 1; i < members.length; i++) {
            try {
                all &= members[i].flush();
            } catch (IOException e) {
                throw disconnected(i, e);
            }
        }
        return all;
    }

    private ExchangeException disconnected(int index, IOException reason) {
        return failed(
                DocaError.CONNECTION_RESET,
                "Participant " + index + " of " + participants() + " has disconnected"
                        + (reason instanceof EOFException ? "" : ": " + reason.getMessage()),
                reason);
    }

    @Override
    String missing() {
        if (gathered != null) {
            return "the others to receive the blocks";
        }
        return IntStream.range(1, members.length)
                .filter(i -> blocks[i] == null)
                .mapToObj(i -> "participant " + i + (members[i] == null ? " to join" : " to send its block"))
                .collect(Collectors.joining(", "));
    }

    @Override
    void leave(String reason) {
        for (var member : members) {
            if (member != null) {
                sendFailure(member, reason);
                member.close();
            }
        }
        handshakes.forEach(handshake -> handshake.connection().close());
        try {
            listener.close();
        } catch (IOException e) {
            return; // it is closed in any case
        }
    }

    /**
     * Sends the reason of a failure to a participant, as far as that is possible without blocking.
     */
    static void sendFailure(TcpConnection connection, String reason) {
        try {
            connection.send(TcpFrame.failure(reason));
            connection.flush();
        } catch (IOException e) {
            return; // the peer detects the end of the connection
        }
    }
}

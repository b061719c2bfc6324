// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A participant that connects to participant 0, authenticates, sends its blocks and receives those
 * of all.
 */
final class TcpParticipant extends TcpExchange {

    /** Delay between attempts to connect. */
    private static final long RETRY_NANOS = 20_000_000;

    /** The state of the connection, with its data. */
    private sealed interface Phase {

        record Disconnected() implements Phase {}

        record Connecting(SocketChannel channel) implements Phase {}

        record Challenged(TcpConnection connection) implements Phase {}

        record Joined(TcpConnection connection) implements Phase {}
    }

    private static final Phase DISCONNECTED = new Phase.Disconnected();

    private final InetSocketAddress address;
    private final byte[] nonce = TcpSecret.nonce();
    private Phase phase = DISCONNECTED;
    private long retryAt = System.nanoTime();
    private String refusal = "not tried yet"; // failure of the last attempt to connect
    private byte[] block = {}; // the block of the current all-gather
    private boolean sent;

    TcpParticipant(InetSocketAddress address, int participants, int index, byte[] token, Duration timeout) {
        super(participants, index, token, timeout);
        if (index == 0) {
            throw new IllegalArgumentException("Participant 0 listens: it does not connect");
        }
        this.address = address;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    void begun(byte[] newBlock) {
        block = newBlock;
        sent = false;
    }

    @Override
    byte @Nullable [] advance() throws IOException {
        Phase before;
        do {
            before = phase;
            switch (phase) {
                case Phase.Disconnected disconnected -> connect();
                case Phase.Connecting connecting -> finishConnecting(connecting.channel());
                case Phase.Challenged challenged -> answerChallenge(challenged.connection());
                case Phase.Joined joined -> {
                    return exchange(joined.connection());
                }
            }
        } while (phase != before);
        return null;
    }

    private void connect() throws IOException {
        if (System.nanoTime() - retryAt < 0) {
            return;
        }
        if (address.isUnresolved()) {
            throw failed(
                    DocaError.NOT_FOUND,
                    "The host \"" + address.getHostString() + "\", where participant 0 listens, is unknown",
                    null);
        }
        var channel = SocketChannel.open();
        phase = new Phase.Connecting(channel);
        channel.configureBlocking(false);
        try {
            channel.connect(address);
        } catch (IOException e) {
            retry(channel, e);
        }
    }

    private void finishConnecting(SocketChannel channel) throws IOException {
        try {
            if (!channel.finishConnect()) {
                return;
            }
        } catch (IOException e) {
            retry(channel, e); // participant 0 may not listen yet
            return;
        }
        var connection = new TcpConnection(channel);
        phase = new Phase.Challenged(connection);
        connection.send(TcpFrame.of(TcpFrame.HELLO, TcpFrame.numbers(index(), participants()), nonce));
    }

    private void retry(SocketChannel channel, IOException reason) throws IOException {
        refusal = String.valueOf(reason.getMessage());
        channel.close();
        retryAt = System.nanoTime() + RETRY_NANOS;
        phase = DISCONNECTED;
    }

    private void answerChallenge(TcpConnection connection) throws IOException {
        connection.flush();
        @Nullable TcpFrame challenge;
        try {
            challenge = connection.receive(TcpFrame.CHALLENGE, TcpSecret.NONCE_SIZE + TcpSecret.PROOF_SIZE);
        } catch (TcpProtocolException e) {
            throw failed(
                    DocaError.UNEXPECTED, "The listener at " + address + " is not participant 0: " + e.getMessage(), e);
        }
        if (challenge == null) {
            return;
        }
        var theirNonce = challenge.bytes(TcpSecret.NONCE_SIZE);
        var theirProof = challenge.bytes(TcpSecret.PROOF_SIZE);
        if (!TcpSecret.matches(secret.coordinatorProof(nonce, theirNonce, index(), participants()), theirProof)) {
            throw failed(
                    DocaError.AUTHENTICATION,
                    "Participant 0 at " + address + " has another token: all participants need the same",
                    null);
        }
        connection.trust();
        connection.send(
                TcpFrame.of(TcpFrame.PROOF, secret.participantProof(nonce, theirNonce, index(), participants())));
        phase = new Phase.Joined(connection);
    }

    private byte @Nullable [] exchange(TcpConnection connection) throws IOException {
        if (!sent) {
            connection.send(TcpFrame.of(TcpFrame.BLOCK, block));
            sent = true;
        }
        var broken = flush(connection);
        try {
            var blocks = blocks(connection.receive(TcpFrame.BLOCKS, Math.multiplyExact(block.length, participants())));
            if (blocks == null && broken != null) {
                throw broken;
            }
            return blocks;
        } catch (EOFException e) {
            throw failed(DocaError.CONNECTION_RESET, "Participant 0 at " + address + " has left the exchange", e);
        }
    }

    /**
     * Sends queued frames; returns the exception if that fails, since the last frame of participant
     * 0 may still be readable.
     */
    private @Nullable IOException flush(TcpConnection connection) {
        try {
            connection.flush();
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    private byte @Nullable [] blocks(@Nullable TcpFrame frame) {
        if (frame == null) {
            return null;
        }
        if (frame.type() == TcpFrame.FAILURE) {
            throw failed(
                    DocaError.CONNECTION_RESET,
                    "Participant 0 at " + address + " has ended the exchange: " + frame.text(),
                    null);
        }
        return frame.remaining();
    }

    @Override
    String missing() {
        return switch (phase) {
            case Phase.Disconnected disconnected -> notListening();
            case Phase.Connecting connecting -> notListening();
            case Phase.Challenged challenged -> "the listener at " + address + " to prove that it is participant 0";
            case Phase.Joined joined -> "the blocks of the others";
        };
    }

    private String notListening() {
        return "participant 0 to listen at " + address + " (" + refusal + ")";
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            return; // it is closed in any case
        }
    }

    @Override
    void leave(String reason) {
        switch (phase) {
            case Phase.Disconnected disconnected -> {}
            case Phase.Connecting connecting -> close(connecting.channel());
            case Phase.Challenged challenged -> challenged.connection().close();
            case Phase.Joined joined -> joined.connection().close();
        }
    }
}

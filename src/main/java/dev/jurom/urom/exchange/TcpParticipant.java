// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** A participant that connects: it proves itself, sends its blocks and gets those of all. */
final class TcpParticipant extends TcpExchange {

    /** How long to wait before knocking again where nobody listens yet. */
    private static final long RETRY_NANOS = 20_000_000;

    private enum Phase { APART, CONNECTING, CHALLENGED, JOINED }

    private final InetSocketAddress address;
    private final byte[] nonce = TcpSecret.nonce();
    private Phase phase = Phase.APART;
    private SocketChannel connecting;
    private long retryAt = System.nanoTime();
    private String refusal = "not tried yet"; // by the last attempt to connect
    private TcpLink link;
    private byte[] block; // of the all-gather that is outstanding
    private boolean sent;

    TcpParticipant(InetSocketAddress address, int participants, int index, byte[] token,
            Duration timeout) {
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
    byte[] advance() throws IOException {
        Phase before;
        do {
            before = phase;
            switch (phase) {
                case APART -> knock();
                case CONNECTING -> finishConnecting();
                case CHALLENGED -> answerChallenge();
                case JOINED -> {
                    return exchange();
                }
            }
        } while (phase != before);
        return null;
    }

    private void knock() throws IOException {
        if (System.nanoTime() - retryAt < 0) {
            return;
        }
        if (address.isUnresolved()) {
            throw failed(DocaError.NOT_FOUND, "The host \"" + address.getHostString()
                    + "\", where participant 0 listens, is unknown", null);
        }
        connecting = SocketChannel.open();
        connecting.configureBlocking(false);
        phase = Phase.CONNECTING;
        try {
            connecting.connect(address);
        } catch (IOException e) {
            knockAgain(e);
        }
    }

    private void finishConnecting() throws IOException {
        try {
            if (!connecting.finishConnect()) {
                return;
            }
        } catch (IOException e) {
            knockAgain(e); // it may not listen yet: the deadline decides
            return;
        }
        link = new TcpLink(connecting);
        connecting = null;
        link.send(TcpFrame.of(TcpFrame.HELLO, TcpFrame.numbers(index(), participants()), nonce));
        phase = Phase.CHALLENGED;
    }

    private void knockAgain(IOException why) throws IOException {
        refusal = why.getMessage();
        connecting.close();
        connecting = null;
        retryAt = System.nanoTime() + RETRY_NANOS;
        phase = Phase.APART;
    }

    private void answerChallenge() throws IOException {
        link.flush();
        TcpFrame challenge;
        try {
            challenge = link.receive(TcpFrame.CHALLENGE,
                    TcpSecret.NONCE_SIZE + TcpSecret.PROOF_SIZE);
        } catch (TcpProtocolException e) {
            throw failed(DocaError.UNEXPECTED, "What listens at " + address
                    + " is not participant 0: " + e.getMessage(), e);
        }
        if (challenge == null) {
            return;
        }
        var theirNonce = challenge.bytes(TcpSecret.NONCE_SIZE);
        var theirProof = challenge.bytes(TcpSecret.PROOF_SIZE);
        if (!TcpSecret.matches(
                secret.coordinatorProof(nonce, theirNonce, index(), participants()), theirProof)) {
            throw failed(DocaError.AUTHENTICATION, "Participant 0 at " + address
                    + " has another token: give all participants the same", null);
        }
        link.trust();
        link.send(TcpFrame.of(TcpFrame.PROOF,
                secret.participantProof(nonce, theirNonce, index(), participants())));
        phase = Phase.JOINED;
    }

    private byte[] exchange() throws IOException {
        if (!sent) {
            link.send(TcpFrame.of(TcpFrame.BLOCK, block));
            sent = true;
        }
        var broken = flush();
        try {
            var blocks = take(link.receive(TcpFrame.BLOCKS,
                    Math.multiplyExact(block.length, participants())));
            if (blocks == null && broken != null) {
                throw broken;
            }
            return blocks;
        } catch (EOFException e) {
            throw failed(DocaError.CONNECTION_RESET, "Participant 0 at " + address
                    + " has left the exchange", e);
        }
    }

    /** Sends; gives what keeps it from that. What participant 0 said last may be here to be read. */
    private IOException flush() {
        try {
            link.flush();
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    private byte[] take(TcpFrame frame) {
        if (frame == null) {
            return null;
        }
        if (frame.type() == TcpFrame.FAILURE) {
            throw failed(DocaError.CONNECTION_RESET, "Participant 0 at " + address
                    + " has ended the exchange: " + frame.text(), null);
        }
        return frame.rest();
    }

    @Override
    String missing() {
        return switch (phase) {
            case APART, CONNECTING -> "participant 0 to listen at " + address + " (" + refusal
                    + ")";
            case CHALLENGED -> "what listens at " + address + " to prove that it is participant 0";
            case JOINED -> "the blocks of the others";
        };
    }

    @Override
    void leave(String why) {
        if (link != null) {
            link.close();
        }
        if (connecting != null) {
            try {
                connecting.close();
            } catch (IOException e) {
                return; // it is closed for us in any case
            }
        }
    }
}

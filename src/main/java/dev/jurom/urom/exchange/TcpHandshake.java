// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to participant 0 that has not authenticated yet. Any error on it closes it, and the
 * exchange continues.
 */
final class TcpArrival {

    /** Maximum duration of the authentication. */
    private static final long TIMEOUT_NANOS = 10_000_000_000L;

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.urom.exchange");

    /** The state of the authentication. */
    enum State {
        AUTHENTICATING,
        AUTHENTICATED,
        REJECTED
    }

    private final TcpLink link;
    private final TcpSecret secret;
    private final long deadline = System.nanoTime() + TIMEOUT_NANOS;
    private final byte[] nonce = TcpSecret.nonce();
    private int index;
    private int participants;
    private byte @Nullable [] expectedProof; // null before its HELLO frame

    TcpArrival(TcpLink link, TcpSecret secret) {
        this.link = link;
        this.secret = secret;
    }

    TcpLink link() {
        return link;
    }

    /** Returns the index that the peer claims; authenticated in state {@code AUTHENTICATED}. */
    int index() {
        return index;
    }

    /** Returns the number of participants that the peer expects. */
    int participants() {
        return participants;
    }

    State advance() {
        try {
            if (expectedProof == null) {
                greet();
            }
            return expectedProof == null ? waiting() : check(expectedProof);
        } catch (IOException e) {
            return rejected(String.valueOf(e.getMessage()));
        }
    }

    private void greet() throws IOException {
        var hello = link.receive(TcpFrame.HELLO, 2 * Integer.BYTES + TcpSecret.NONCE_SIZE);
        if (hello == null) {
            return;
        }
        index = hello.body().getInt();
        participants = hello.body().getInt();
        var theirNonce = hello.remaining();
        expectedProof = secret.participantProof(theirNonce, nonce, index, participants);
        link.send(TcpFrame.of(
                TcpFrame.CHALLENGE, nonce, secret.coordinatorProof(theirNonce, nonce, index, participants)));
    }

    private State check(byte[] expected) throws IOException {
        link.flush();
        var proof = link.receive(TcpFrame.PROOF, TcpSecret.PROOF_SIZE);
        if (proof == null) {
            return waiting();
        }
        return TcpSecret.matches(expected, proof.remaining()) ? State.AUTHENTICATED : rejected("it has another token");
    }

    private State waiting() {
        return System.nanoTime() - deadline > 0 ? rejected("the authentication took too long") : State.AUTHENTICATING;
    }

    private State rejected(String reason) {
        LOGGER.log(System.Logger.Level.DEBUG, "Closed a connection that did not authenticate: {0}", reason);
        link.close();
        return State.REJECTED;
    }

    /** Rejects a peer that is authenticated but cannot take part. */
    void reject(String reason) {
        LOGGER.log(System.Logger.Level.WARNING, "Rejected a participant: {0}", reason);
        TcpCoordinator.sendFailure(link, reason);
        link.close();
    }
}

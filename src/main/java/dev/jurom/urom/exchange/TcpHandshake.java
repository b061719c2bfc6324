// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The authentication of a connection to participant 0. Any error closes the connection, and the
 * exchange continues.
 */
final class TcpHandshake {

    /** Maximum duration of the authentication. */
    private static final long TIMEOUT_NANOS = 10_000_000_000L;

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.urom.exchange");

    /** The state of the authentication. */
    enum State {
        AUTHENTICATING,
        AUTHENTICATED,
        REJECTED
    }

    private final TcpConnection connection;
    private final TcpSecret secret;
    private final long deadline = System.nanoTime() + TIMEOUT_NANOS;
    private final byte[] nonce = TcpSecret.nonce();
    private int index;
    private int participants;
    private byte @Nullable [] expectedProof; // null before its HELLO frame

    TcpHandshake(TcpConnection connection, TcpSecret secret) {
        this.connection = connection;
        this.secret = secret;
    }

    TcpConnection connection() {
        return connection;
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
                receiveHello();
            }
            return expectedProof == null ? waiting() : check(expectedProof);
        } catch (IOException e) {
            return rejected(String.valueOf(e.getMessage()));
        }
    }

    private void receiveHello() throws IOException {
        var hello = connection.receive(TcpFrame.HELLO, 2 * Integer.BYTES + TcpSecret.NONCE_SIZE);
        if (hello == null) {
            return;
        }
        index = hello.body().getInt();
        participants = hello.body().getInt();
        var theirNonce = hello.remaining();
        expectedProof = secret.participantProof(theirNonce, nonce, index, participants);
        connection.send(TcpFrame.of(
                TcpFrame.CHALLENGE, nonce, secret.coordinatorProof(theirNonce, nonce, index, participants)));
    }

    private State check(byte[] expected) throws IOException {
        connection.flush();
        var proof = connection.receive(TcpFrame.PROOF, TcpSecret.PROOF_SIZE);
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
        connection.close();
        return State.REJECTED;
    }

    /** Rejects a peer that is authenticated but cannot take part. */
    void reject(String reason) {
        LOGGER.log(System.Logger.Level.WARNING, "Rejected a participant: {0}", reason);
        TcpCoordinator.sendFailure(connection, reason);
        connection.close();
    }
}

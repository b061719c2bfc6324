// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who has connected to participant 0 and must prove itself first. Whatever it does wrong,
 * it is turned away, and the exchange goes on.
 */
final class TcpArrival {

    /** How long proving may take. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private static final System.Logger LOGGER = System.getLogger("dev.jurom.urom.exchange");

    /** How far an arrival has come. */
    enum State {
        ARRIVING,
        PROVED,
        REFUSED
    }

    private final TcpLink link;
    private final TcpSecret secret;
    private final long deadline = System.nanoTime() + PATIENCE_NANOS;
    private final byte[] nonce = TcpSecret.nonce();
    private int index;
    private int participants;
    private byte @Nullable [] expectedProof; // null: it has not said who it is

    TcpArrival(TcpLink link, TcpSecret secret) {
        this.link = link;
        this.secret = secret;
    }

    TcpLink link() {
        return link;
    }

    /** Which participant it says it is; proved if it is. */
    int index() {
        return index;
    }

    /** How many participants it counts on. */
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
            return turnedAway(String.valueOf(e.getMessage()));
        }
    }

    private void greet() throws IOException {
        var hello = link.receive(TcpFrame.HELLO, 2 * Integer.BYTES + TcpSecret.NONCE_SIZE);
        if (hello == null) {
            return;
        }
        index = hello.body().getInt();
        participants = hello.body().getInt();
        var theirNonce = hello.rest();
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
        return TcpSecret.matches(expected, proof.rest()) ? State.PROVED : turnedAway("it has another token");
    }

    private State waiting() {
        return System.nanoTime() - deadline > 0 ? turnedAway("it took too long") : State.ARRIVING;
    }

    private State turnedAway(String why) {
        LOGGER.log(System.Logger.Level.DEBUG, "Somebody who connected was turned away: {0}", why);
        link.close();
        return State.REFUSED;
    }

    /** Turns away one that has proved itself and yet cannot take part. */
    void refuse(String why) {
        LOGGER.log(System.Logger.Level.WARNING, "A participant was turned away: {0}", why);
        TcpCoordinator.tell(link, why);
        link.close();
    }
}

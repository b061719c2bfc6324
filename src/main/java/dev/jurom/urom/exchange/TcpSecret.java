// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The token that all participants of a {@link TcpExchange} share, and the proofs of its possession:
 * HMAC-SHA-256 of a label, the nonces of both sides, and the index and number of participants that
 * the participant claims.
 */
final class TcpSecret {

    static final int NONCE_SIZE = 32;
    static final int PROOF_SIZE = 32;
    static final int SHORTEST = 16;

    private static final String ALGORITHM = "HmacSHA256";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec key;

    TcpSecret(byte[] token) {
        if (token.length < SHORTEST) {
            throw new IllegalArgumentException("The token of an exchange has " + token.length
                    + " bytes: it needs at least " + SHORTEST + " random bytes");
        }
        key = new SecretKeySpec(token, ALGORITHM);
    }

    static byte[] nonce() {
        var nonce = new byte[NONCE_SIZE];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /** Returns the proof that the coordinator sends to a participant. */
    byte[] coordinatorProof(byte[] participantNonce, byte[] coordinatorNonce, int index, int participants) {
        return prove("jurom exchange coordinator", participantNonce, coordinatorNonce, index, participants);
    }

    /** Returns the proof that a participant sends to the coordinator. */
    byte[] participantProof(byte[] participantNonce, byte[] coordinatorNonce, int index, int participants) {
        return prove("jurom exchange participant", participantNonce, coordinatorNonce, index, participants);
    }

    private byte[] prove(String label, byte[] participantNonce, byte[] coordinatorNonce, int index, int participants) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(label.getBytes(StandardCharsets.US_ASCII));
            mac.update(participantNonce);
            mac.update(coordinatorNonce);
            return mac.doFinal(TcpFrame.numbers(index, participants));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK has no " + ALGORITHM, e);
        }
    }

    /** Returns whether two proofs are equal, in constant time. */
    static boolean matches(byte[] expected, byte[] given) {
        return MessageDigest.isEqual(expected, given);
    }
}

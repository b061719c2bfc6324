// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that hosts and the service share, and the proofs of knowing it. Its twin in C is
 * {@code authentication.h}.
 */
final class ServiceKey {

    static final int MAX_SIZE = 4096;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int GROUP_AND_OTHERS = 077;
    private static final int FILE_TYPE = 0170000;
    private static final int REGULAR_FILE = 0100000;

    private final byte[] key;

    private ServiceKey(byte[] key) {
        this.key = key;
    }

    /** No key: who can connect is let in. */
    static ServiceKey none() {
        return new ServiceKey(new byte[0]);
    }

    /**
     * Reads a key file.
     *
     * @throws DaemonException if it is missing, empty, too long, another user's, or others may
     *         access it
     */
    static ServiceKey read(Path file) {
        try {
            requirePrivate(file);
            try (var stream = Files.newInputStream(file)) {
                var bytes = stream.readNBytes(MAX_SIZE + 1);
                if (bytes.length == 0 || bytes.length > MAX_SIZE) {
                    throw refused(file, bytes.length == 0 ? "is empty"
                            : "is longer than " + MAX_SIZE + " bytes", null);
                }
                return new ServiceKey(bytes);
            }
        } catch (NoSuchFileException e) {
            throw refused(file, "does not exist", e);
        } catch (IOException e) {
            throw refused(file, "cannot be read (" + e + ")", e);
        }
    }

    private static void requirePrivate(Path file) throws IOException {
        var attributes = Files.readAttributes(file, "unix:mode,uid");
        var mode = (Integer) attributes.get("mode");
        if ((mode & FILE_TYPE) != REGULAR_FILE) {
            throw refused(file, "is not a regular file", null);
        }
        if (!attributes.get("uid").equals(ownUserId())) {
            throw refused(file, "belongs to another user", null);
        }
        if ((mode & GROUP_AND_OTHERS) != 0) {
            throw refused(file, "can be accessed by others: use chmod 600", null);
        }
    }

    /** The user that this process runs as. */
    static int ownUserId() throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    private static DaemonException refused(Path file, String why, Throwable cause) {
        return new DaemonException("The key file " + file + " " + why, cause);
    }

    boolean isNone() {
        return key.length == 0;
    }

    /** What a host that knows the key answers to a challenge. */
    Bytes hostProof(Frame.Hello hello, Bytes serverNonce) {
        var tail = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN)
                .putInt(hello.maxMessageSize()).putInt(hello.userId());
        return prove("jurom host", hello.clientNonce(), serverNonce, tail.array());
    }

    /** What shows a host that the service knows the key. */
    Bytes serviceProof(Bytes clientNonce, Bytes serverNonce) {
        return prove("jurom service", clientNonce, serverNonce, new byte[0]);
    }

    private Bytes prove(String label, Bytes clientNonce, Bytes serverNonce, byte[] tail) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            // The JDK refuses an empty key; HMAC fills keys up with zeros, so that one zero is the
            // same.
            mac.init(new SecretKeySpec(isNone() ? new byte[1] : key, ALGORITHM));
            mac.update(label.getBytes(StandardCharsets.US_ASCII));
            mac.update(clientNonce.toArray());
            mac.update(serverNonce.toArray());
            return Bytes.of(mac.doFinal(tail));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK has no " + ALGORITHM, e);
        }
    }

    /** Overwrites the key. */
    void forget() {
        Arrays.fill(key, (byte) 0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/** Operations on the certificates of hosts and services. */
public final class Certificates {

    /** The signature algorithm of elliptic-curve keys. */
    public static final String SIGNATURE = "SHA256withECDSA";

    private Certificates() {}

    /** Returns the SHA-256 digest of a certificate, in the form that the library of a host prints. */
    public static String fingerprint(X509Certificate certificate) throws CertificateEncodingException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("The JDK has no SHA-256", e);
        }
    }

    /** Checks that two keys belong together. */
    public static void requirePair(PrivateKey key, PublicKey its) throws GeneralSecurityException {
        var algorithm = switch (its.getAlgorithm()) {
            case "EC" -> SIGNATURE;
            case "RSA" -> "SHA256withRSA";
            default -> its.getAlgorithm();
        };
        var signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        var signature = signer.sign();
        var verifier = Signature.getInstance(algorithm);
        verifier.initVerify(its);
        if (!verifier.verify(signature)) {
            throw new GeneralSecurityException("its private key is not that of its certificate");
        }
    }
}

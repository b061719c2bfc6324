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

    /**
     * Computes the SHA-256 digest of a certificate, in the form that the library of a host prints.
     *
     * @param certificate the certificate
     * @return 64 hexadecimal digits in lower case
     * @throws CertificateEncodingException if the certificate cannot be encoded
     */
    public static String fingerprint(X509Certificate certificate) throws CertificateEncodingException {
        return fingerprint(certificate.getEncoded());
    }

    /** Computes the SHA-256 digest of an encoded certificate. */
    static String fingerprint(byte[] encoded) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(encoded));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("The JDK has no SHA-256", e);
        }
    }

    /**
     * Checks that two keys belong together, by signing with one and verifying with the other.
     *
     * @param key the private key
     * @param publicKey the public key
     * @throws GeneralSecurityException if they do not belong together, or the JDK does not support their algorithm
     */
    public static void requirePair(PrivateKey key, PublicKey publicKey) throws GeneralSecurityException {
        var algorithm = switch (publicKey.getAlgorithm()) {
            case "EC" -> SIGNATURE;
            case "RSA" -> "SHA256withRSA";
            default -> publicKey.getAlgorithm();
        };
        var signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        var signature = signer.sign();
        var verifier = Signature.getInstance(algorithm);
        verifier.initVerify(publicKey);
        if (!verifier.verify(signature)) {
            throw new GeneralSecurityException("the private key does not belong to the certificate");
        }
    }
}

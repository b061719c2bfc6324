// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.service.identity.AuthorizedHosts;
import dev.jurom.service.identity.Certificates;
import dev.jurom.service.identity.Der;
import dev.jurom.service.identity.PemFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates files with a private key and its self-signed certificate, with which hosts and services of different
 * machines authenticate each other. The operator copies the certificate to the other side, which compares its
 * bytes. Also lists the certificates of such files and of files of authorized hosts.
 */
public final class KeyPairFile {

    private static final String CURVE = "secp256r1";
    private static final int SERIAL_BITS = 127;
    private static final int MAX_NAME = 64; // characters, the limit of X.520
    private static final int LINE = 64;

    /** A certificate of a file. Instances are immutable. */
    public static final class Entry {

        private final int line;
        private final boolean isOwn;
        private final Optional<String> account;
        private final String name;
        private final String fingerprint;

        private Entry(int line, boolean isOwn, Optional<String> account, String name, String fingerprint) {
            this.line = line;
            this.isOwn = isOwn;
            this.account = account;
            this.name = name;
            this.fingerprint = fingerprint;
        }

        /**
         * Returns the number of the first line of the certificate.
         *
         * @return 1 or more
         */
        public int line() {
            return line;
        }

        /**
         * Returns whether the private key of the file belongs to the certificate.
         *
         * @return false if it does not, or the file has no private key
         */
        public boolean isOwn() {
            return isOwn;
        }

        /**
         * Returns the account that a file of authorized hosts names before the certificate.
         *
         * @return empty if the file names none
         */
        public Optional<String> account() {
            return account;
        }

        /**
         * Returns the subject, which the creator of the certificate chose.
         *
         * @return a distinguished name (RFC 2253)
         */
        public String name() {
            return name;
        }

        /**
         * Returns the SHA-256 digest of the certificate's bytes.
         *
         * @return 64 lower-case hexadecimal digits
         */
        public String fingerprint() {
            return fingerprint;
        }

        private List<Object> values() {
            return List.of(line, isOwn, account, name, fingerprint);
        }

        @Override
        @SuppressWarnings("exports") // the annotation is for compilers
        public boolean equals(@Nullable Object other) {
            return other instanceof Entry that && values().equals(that.values());
        }

        @Override
        public int hashCode() {
            return values().hashCode();
        }

        @Override
        public String toString() {
            return "Entry[line=" + line + ", isOwn=" + isOwn + ", account=" + account + ", name=" + name
                    + ", fingerprint=" + fingerprint + "]";
        }
    }

    private KeyPairFile() {}

    /**
     * Lists the certificates of a key file or of a file of authorized hosts.
     *
     * @param file the file; its mode and its owner are not checked
     * @return in the order of the file
     * @throws IOException if the file cannot be read, is malformed or has no certificate
     */
    public static List<Entry> certificates(Path file) throws IOException {
        var entries = new ArrayList<Entry>();
        var account = Optional.<String>empty();
        try {
            // PEM is ASCII; names in comments may have any encoding.
            var pem = PemFile.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
            for (var section : pem.sections()) {
                if (section instanceof PemFile.Text line && line.text().startsWith(AuthorizedHosts.ACCOUNT)) {
                    account = Optional.of(line.text()
                            .substring(AuthorizedHosts.ACCOUNT.length())
                            .strip());
                } else if (section instanceof PemFile.Block block
                        && block.type().equals(PemFile.CERTIFICATE)) {
                    var certificate = PemFile.certificate(block);
                    entries.add(new Entry(
                            block.line(),
                            isOwn(pem, certificate),
                            account,
                            certificate.getSubjectX500Principal().getName(),
                            Certificates.fingerprint(certificate)));
                    account = Optional.empty();
                }
            }
        } catch (PemFile.MalformedException | CertificateEncodingException e) {
            throw new IOException(file + " cannot be used: " + e.getMessage(), e);
        }
        if (entries.isEmpty()) {
            throw new IOException(file + " has no certificate");
        }
        return List.copyOf(entries);
    }

    private static boolean isOwn(PemFile pem, X509Certificate certificate) {
        try {
            Certificates.requirePair(
                    PemFile.privateKey(pem.first(PemFile.PRIVATE_KEY), certificate), certificate.getPublicKey());
            return true;
        } catch (PemFile.MalformedException | GeneralSecurityException e) {
            return false; // no key, or the key of another certificate
        }
    }

    /**
     * Creates a key, and writes it and its certificate to a new file of mode 0600.
     *
     * @param file the file, which must not exist
     * @param name the subject of the certificate: 1 to 64 printable characters
     * @return the certificate as text (PEM), for the other side
     * @throws IllegalArgumentException if the name is invalid
     * @throws IOException if the file exists or cannot be written
     */
    public static String create(Path file, String name) throws IOException {
        if (name.isBlank() || name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "The name of a key has 1 to " + MAX_NAME + " characters that can be printed");
        }
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE));
            var pair = generator.generateKeyPair();
            var certificate = pem(PemFile.CERTIFICATE, certificate(pair, name));
            write(file, pem(PemFile.PRIVATE_KEY, pair.getPrivate().getEncoded()) + certificate);
            return certificate;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK has no " + Certificates.SIGNATURE + " on " + CURVE, e);
        }
    }

    private static void write(Path file, String text) throws IOException {
        try (var channel = Files.newByteChannel(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                var stream = Channels.newOutputStream(channel)) {
            stream.write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (FileAlreadyExistsException e) {
            throw new IOException(
                    "The file " + file + " exists already, and perhaps has a key:" + " choose another name", e);
        }
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + type + "-----\n";
    }

    /** Creates a certificate without extensions or expiry, because the other side compares all its bytes. */
    private static byte[] certificate(KeyPair pair, String name) throws GeneralSecurityException {
        var algorithm = Der.sequence(Der.objectId(0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 2));
        var subject = Der.sequence(Der.set(Der.sequence(Der.objectId(0x55, 4, 3), Der.text(name))));
        var body = Der.sequence(
                Der.explicit(0, Der.integer(BigInteger.TWO)), // X.509 version 3
                Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0)),
                algorithm,
                subject,
                Der.sequence(Der.shortTime("000101000000Z"), Der.longTime("99991231235959Z")),
                subject,
                pair.getPublic().getEncoded());
        var signer = Signature.getInstance(Certificates.SIGNATURE);
        signer.initSign(pair.getPrivate());
        signer.update(body);
        return Der.sequence(body, algorithm, Der.bits(signer.sign()));
    }
}

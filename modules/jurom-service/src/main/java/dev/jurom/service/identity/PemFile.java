// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The blocks of a PEM file and the lines between them. An unreadable block does not affect the others.
 *
 * @param sections the sections, in the order of the file
 */
public record PemFile(List<Section> sections) {

    /** The type of a block with a certificate. */
    public static final String CERTIFICATE = "CERTIFICATE";
    /** The type of a block with a private key in PKCS #8. */
    public static final String PRIVATE_KEY = "PRIVATE KEY";

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    /** A part of a file. */
    public sealed interface Section {

        /** {@return the number of its first line, from 1} */
        int line();
    }

    /**
     * A line outside of blocks, without leading and trailing space.
     *
     * @param line the number of the line, from 1
     * @param text the line
     */
    public record Text(int line, String text) implements Section {

        /** Returns whether the line is blank or a comment. */
        boolean isBlankOrComment() {
            return text.isEmpty() || text.startsWith("#");
        }
    }

    /**
     * A block, without its first and last line.
     *
     * @param line the number of its first line, from 1
     * @param type the type that its first line states
     * @param content the decoded bytes, which are not copied
     */
    public record Block(int line, String type, byte[] content) implements Section {}

    /** An unreadable block, and the reason. */
    record Broken(int line, String why) implements Section {}

    /** Thrown for a malformed file; the message names the line. */
    public static final class MalformedException extends Exception {

        private static final long serialVersionUID = 1L;

        MalformedException(int line, String why) {
            super("line " + line + ": " + why);
        }
    }

    /**
     * Parses the text of a file.
     *
     * @param text the text
     * @return the blocks and lines, in which unreadable blocks are marked
     */
    public static PemFile parse(String text) {
        var lines = text.lines().map(String::strip).toList();
        var sections = new ArrayList<Section>();
        var next = 0;
        while (next < lines.size()) {
            var line = next++;
            if (!lines.get(line).startsWith(BEGIN)) {
                sections.add(new Text(line + 1, lines.get(line)));
                continue;
            }
            while (next < lines.size() && isBase64(lines.get(next))) {
                next++;
            }
            var type = lines.get(line).substring(BEGIN.length()).replace(DASHES, "");
            if (next < lines.size() && lines.get(next).equals(END + type + DASHES)) {
                sections.add(block(line + 1, type, String.join("", lines.subList(line + 1, next++))));
            } else {
                sections.add(new Broken(
                        line + 1, "the " + type + " has no line \"" + END + type + DASHES + "\" after its Base64"));
            }
        }
        return new PemFile(sections);
    }

    private static boolean isBase64(String line) {
        return line.chars().allMatch(it -> it < 128 && Character.isLetterOrDigit(it) || "+/=".indexOf(it) >= 0);
    }

    private static Section block(int line, String type, String base64) {
        try {
            return new Block(line, type, Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException e) {
            return new Broken(line, "the " + type + " is not in Base64: " + e.getMessage());
        }
    }

    /**
     * Finds the first block of a type.
     *
     * @param type the type
     * @return the block
     * @throws MalformedException if there is none, or any block of the file is unreadable
     */
    public Block first(String type) throws MalformedException {
        for (var section : sections) {
            if (section instanceof Broken broken) {
                throw new MalformedException(broken.line(), broken.why());
            }
        }
        return sections.stream()
                .filter(Block.class::isInstance)
                .map(Block.class::cast)
                .filter(block -> block.type().equals(type))
                .findFirst()
                .orElseThrow(() ->
                        new MalformedException(1, "there is no block \"" + BEGIN + type + DASHES + "\" from here on"));
    }

    /**
     * Parses the certificate in a block.
     *
     * @param block the block, of any type
     * @return the certificate, which is not verified
     * @throws MalformedException if the block contains no certificate
     */
    public static X509Certificate certificate(Block block) throws MalformedException {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.content()));
        } catch (CertificateException e) {
            throw new MalformedException(block.line(), "this is not a certificate: " + e.getMessage());
        }
    }

    /**
     * Parses the private key in a block, for the algorithm of its certificate.
     *
     * @param block the block, of any type
     * @param certificate the certificate, which may belong to another key
     * @return the private key
     * @throws MalformedException if the block contains no key for the algorithm
     */
    public static PrivateKey privateKey(Block block, X509Certificate certificate) throws MalformedException {
        var algorithm = certificate.getPublicKey().getAlgorithm();
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(block.content()));
        } catch (GeneralSecurityException e) {
            throw new MalformedException(
                    block.line(),
                    "this is not a key of the certificate's algorithm, " + algorithm + ", in PKCS #8: "
                            + e.getMessage());
        }
    }
}

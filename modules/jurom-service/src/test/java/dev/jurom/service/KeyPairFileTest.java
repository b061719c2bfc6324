// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jurom.fixture.Command;
import dev.jurom.runtime.DaemonException;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the keys created by the urom command, with openssl(1). */
class KeyPairFileTest {

    @TempDir
    private Path folder;

    @Test
    void openssl_accepts_the_key_and_its_certificate() throws IOException {
        var file = folder.resolve("key");
        var certificate = folder.resolve("certificate");
        Files.writeString(certificate, KeyPairFile.create(file, "node 1, \u00e4\u4e2d"));

        Command.run(
                "openssl",
                "verify",
                "-x509_strict",
                "-no_check_time",
                "-partial_chain",
                "-CAfile",
                certificate.toString(),
                certificate.toString());
        Command.run("openssl", "verify", "-CAfile", certificate.toString(), certificate.toString());
        var text = Command.run(
                "openssl", "x509", "-noout", "-text", "-nameopt", "utf8,sep_multiline", "-in", file.toString());
        assertTrue(text.contains("CN=node 1, \u00e4\u4e2d"), text);
        assertTrue(text.contains("prime256v1"), text);
        var ofKey = Command.run("openssl", "pkey", "-pubout", "-in", file.toString());
        assertEquals(ofKey, Command.run("openssl", "x509", "-pubkey", "-noout", "-in", certificate.toString()));
    }

    @Test
    void the_file_is_private_and_contains_both() throws IOException {
        var file = folder.resolve("key");
        var certificate = KeyPairFile.create(file, "node1");

        assertEquals(PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(file));
        assertTrue(Files.readString(file).startsWith("-----BEGIN PRIVATE KEY-----\n"));
        assertTrue(Files.readString(file).endsWith(certificate));
    }

    @Test
    void an_existing_file_is_not_overwritten() throws IOException {
        var file = Files.writeString(folder.resolve("key"), "precious");

        var thrown = assertThrows(IOException.class, () -> KeyPairFile.create(file, "node1"));
        assertTrue(thrown.getMessage().contains("exists already"), thrown.getMessage());
        assertEquals("precious", Files.readString(file));
    }

    @Test
    void two_keys_are_different() throws IOException {
        assertNotEquals(KeyPairFile.create(folder.resolve("a"), "n"), KeyPairFile.create(folder.resolve("b"), "n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "01234567890123456789012345678901234567890123456789012345678901234"})
    void names_can_be_printed(String name) {
        assertThrows(IllegalArgumentException.class, () -> KeyPairFile.create(folder.resolve("key"), name));
    }

    @Test
    void a_service_reads_it() throws IOException {
        var file = folder.resolve("key");
        KeyPairFile.create(file, "service");
        TlsIdentity.read(file, Credentials.ofThisProcess());

        var other = KeyPairFile.create(folder.resolve("other"), "other");
        var mixed =
                Files.readString(file).substring(0, Files.readString(file).indexOf("-----BEGIN CERTIFICATE")) + other;
        Files.writeString(file, mixed);
        assertRefused(file, "does not belong to the certificate");
        Files.writeString(file, other);
        assertRefused(file, "PRIVATE KEY");
    }

    private static void assertRefused(Path file, String words) {
        var thrown = assertThrows(DaemonException.class, () -> TlsIdentity.read(file, Credentials.ofThisProcess()));
        assertTrue(thrown.getMessage().contains(words), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(file.toString()), thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "ed25519"})
    void a_service_reads_keys_of_openssl(String algorithm) throws IOException {
        var file = folder.resolve("key");
        var key = folder.resolve("k.pem").toString();
        var certificate = folder.resolve("c.pem").toString();
        Command.run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                algorithm.equals("RSA") ? "rsa:2048" : algorithm,
                "-nodes",
                "-subj",
                "/CN=service",
                "-keyout",
                key,
                "-out",
                certificate,
                "-days",
                "2");
        Files.writeString(file, Files.readString(Path.of(key)) + Files.readString(Path.of(certificate)));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        TlsIdentity.read(file, Credentials.ofThisProcess());
    }
}

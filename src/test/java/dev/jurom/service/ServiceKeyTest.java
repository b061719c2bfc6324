// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The key and its proofs. The expected ones were computed with openssl(1), as those of the C test.
 */
class ServiceKeyTest {

    private static final Bytes CLIENT = nonce("c");
    private static final Bytes SERVER = nonce("s");

    @TempDir
    private Path folder;

    private static Bytes nonce(String letter) {
        return Bytes.of(letter.repeat(Frame.NONCE_SIZE).getBytes(StandardCharsets.US_ASCII));
    }

    private Path file(byte[] content, String permissions) throws IOException {
        var file = Files.write(folder.resolve("key"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private static void assertRefused(Path file, String why) {
        var thrown = assertThrows(DaemonException.class, () -> ServiceKey.read(file));
        assertTrue(thrown.getMessage().contains(file.toString()), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(why), thrown.getMessage());
    }

    private static void assertHex(String expected, Bytes proof) {
        assertEquals(expected, HexFormat.of().formatHex(proof.toArray()));
    }

    @Test
    void proofs_are_those_of_the_protocol() throws IOException {
        var key = ServiceKey.read(file("secret".getBytes(StandardCharsets.US_ASCII), "rw-------"));

        assertFalse(key.isNone());
        assertHex("9052d36429ea9df520d00751522a01002d4c325676cf242f70fe57bf8c9471cc",
                key.hostProof(new Frame.Hello(1, CLIENT, 4096, 1000), SERVER));
        assertHex("cc614ab4c0d4daf9aa53acb21ca5a85d36a86cd08a80a8f6b59c11903df9ecce",
                key.serviceProof(CLIENT, SERVER));
    }

    @Test
    void a_service_without_a_key_proves_so() {
        assertTrue(ServiceKey.none().isNone());
        assertHex("949ce34d9d30c16436d1b369701426b15320bb69cda1969c1fa9409bde2ae0a8",
                ServiceKey.none().serviceProof(CLIENT, SERVER));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rw------x"})
    void a_file_that_others_may_access_is_refused(String permissions) throws IOException {
        assertRefused(file(new byte[] {1}, permissions), "chmod 600");
    }

    @Test
    void a_file_that_is_not_there_is_refused() {
        assertRefused(folder.resolve("key"), "does not exist");
    }

    @Test
    void a_directory_is_refused() {
        assertRefused(folder, "is not a regular file");
    }

    @Test
    void a_key_has_1_to_4096_bytes() throws IOException {
        assertRefused(file(new byte[0], "rw-------"), "is empty");
        assertRefused(file(new byte[4097], "rw-------"), "longer than 4096");
        ServiceKey.read(file(new byte[4096], "rw-------"));
    }
}

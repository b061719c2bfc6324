// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Checks the key by which services of other machines authenticate this host. */
final class KeyCheck {

    private static final String NAME = "key";
    private static final String VARIABLE = "DOCA_UROM_KEY_FILE";
    private static final String PRIVATE_KEY = "-----BEGIN PRIVATE KEY-----";
    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";

    private KeyCheck() {}

    /**
     * Checks the key file.
     *
     * @param file the file that the environment names; null for none
     * @param addresses the addresses of the services of this host
     */
    static Finding look(String file, List<String> addresses) throws IOException {
        var remote = addresses.stream()
                .filter(address -> !address.startsWith("unix:"))
                .toList();
        if (file != null && !file.isEmpty()) {
            return content(Path.of(file), !remote.isEmpty());
        }
        return remote.isEmpty()
                ? Finding.pass(NAME, "is not needed: the service runs on this machine")
                : Finding.fail(
                        NAME,
                        VARIABLE + " is not set, and the service is at " + remote.getFirst(),
                        "urom key create FILE --name NAME, give its"
                                + " certificate to the service, append the service's to FILE, and export "
                                + VARIABLE + "=FILE");
    }

    private static Finding content(Path file, boolean needed) throws IOException {
        if (!Files.isReadable(file)) {
            return Finding.fail(
                    NAME, file + " cannot be read", "set " + VARIABLE + " to a file of your own, of mode 0600");
        }
        var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        if (!mode.endsWith("------") && !mode.equals("r--r-----")) {
            return Finding.fail(NAME, file + " is open to others (" + mode + ")", "chmod 600 " + file);
        }
        var lines = Files.readAllLines(file);
        var certificates = lines.stream().filter(CERTIFICATE::equals).count();
        if (lines.stream().noneMatch(PRIVATE_KEY::equals) || certificates == 0) {
            return Finding.fail(
                    NAME, file + " has no private key with its certificate", "urom key create FILE --name NAME");
        }
        return certificates > 1 || !needed
                ? Finding.pass(NAME, file + ", with " + (certificates - 1) + " certificates of services")
                : Finding.fail(NAME, file + " has no certificate of a service", "cat SERVICE.pem >> " + file);
    }
}

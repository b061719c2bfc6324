// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.runtime.DaemonException;
import dev.jurom.service.files.Credentials;
import dev.jurom.service.identity.AuthorizedHosts;
import dev.jurom.service.identity.LocalUsers;
import dev.jurom.service.identity.TlsIdentity;
import dev.jurom.service.settings.DaemonConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Fuzz target: a file of keys and certificates, or a file of authorized hosts, with any content. It must be
 * read, or rejected with an error that names the file.
 */
public final class PemFuzz {

    /**
     * Matches the accounts of a file. They are replaced with an account that exists, since each lookup starts
     * a process.
     */
    private static final Pattern ACCOUNT = Pattern.compile("(?m)^(\\s*account:)[^=\\n]*?(?=$|\\S*=)");

    private static final Path FILE = temporary();
    private static final Credentials OWN = Credentials.ofThisProcess();
    private static final LocalUsers USERS = new LocalUsers(OWN, DaemonConfiguration.Users.OWN);

    private PemFuzz() {}

    private static Path temporary() {
        try {
            var file = Files.createTempFile("jurom-fuzz", ".pem"); // of mode 0600
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Executes an input: the kind of file, followed by its content. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        if (input.length == 0) {
            return;
        }
        var text = new String(input, 1, input.length - 1, StandardCharsets.UTF_8);
        try {
            if ((input[0] & 1) == 0) {
                Files.writeString(FILE, text);
                TlsIdentity.read(FILE, OWN);
            } else {
                Files.writeString(FILE, ACCOUNT.matcher(text).replaceAll("$1 daemon "));
                AuthorizedHosts.read(FILE, OWN, USERS);
            }
        } catch (DaemonException e) {
            if (!String.valueOf(e.getMessage()).contains(FILE.toString())) {
                throw new AssertionError("the message does not name the file", e);
            }
        }
    }
}

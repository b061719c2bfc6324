// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.bench.measurement.JavaProgram;
import dev.jurom.cli.UromCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The keys of a service and a host that authenticate each other.
 *
 * @param ofService the key and the certificate of the service
 * @param authorizedHosts the certificate of the host with the account of its workers
 * @param ofHost the key and the certificate of the host, and the certificate of the service
 */
record Keys(Path ofService, Path authorizedHosts, Path ofHost) {

    /** The account of the workers if root runs the service, since workers must not run as root. */
    private static final String ACCOUNT_FOR_ROOT = "daemon";

    /** Creates keys in a private directory. */
    static Keys create(Path directory) throws IOException {
        var keys = new Keys(
                directory.resolve("service.pem"), directory.resolve("authorized-hosts"), directory.resolve("host.pem"));
        var certificateOfService = create(keys.ofService, "bench-service");
        var certificateOfHost = create(keys.ofHost, "bench-host");
        Files.writeString(keys.ofHost, certificateOfService, StandardOpenOption.APPEND);
        Files.writeString(keys.authorizedHosts, "account: " + account() + "\n" + certificateOfHost);
        return keys;
    }

    private static String account() {
        var own = System.getProperty("user.name");
        return own.equals("root") ? ACCOUNT_FOR_ROOT : own;
    }

    /** Creates a key and returns its certificate. */
    private static String create(Path file, String name) throws IOException {
        var command = JavaProgram.command(
                UromCommand.class.getName(), List.of("key", "create", file.toString(), "--name", name));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var certificate = new String(process.getInputStream().readAllBytes());
        if (!certificate.contains("BEGIN CERTIFICATE")) {
            throw new IllegalStateException("no certificate was printed by " + String.join(" ", command));
        }
        return certificate;
    }
}

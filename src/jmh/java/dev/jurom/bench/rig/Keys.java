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
 * The keys of a service and of a host that know each other.
 *
 * @param ofService the service's key and its certificate
 * @param authorizedHosts the host's certificate, with the account of its workers
 * @param ofHost the host's key, its certificate, and the service's
 */
record Keys(Path ofService, Path authorizedHosts, Path ofHost) {

    /** Whose the workers of a host are when root runs the service: root's must not be. */
    private static final String ACCOUNT_FOR_ROOT = "daemon";

    /** Makes keys in a directory that nobody else may look into. */
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

    /** Makes a key; gives its certificate. */
    private static String create(Path file, String name) throws IOException {
        var command = JavaProgram.command(
                UromCommand.class.getName(), List.of("key", "create", file.toString(), "--name", name));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var certificate = new String(process.getInputStream().readAllBytes());
        if (!certificate.contains("BEGIN CERTIFICATE")) {
            throw new IllegalStateException("No certificate is printed by " + String.join(" ", command));
        }
        return certificate;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.service.settings.Limits;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Limits on the resources that hosts may use. */
final class LimitOptions {

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Maximum number of connections of hosts (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--max-connections-per-user",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Maximum number of connections of one user (default: ${DEFAULT-VALUE}).")
    private int connectionsPerUser;

    @Option(
            names = "--max-unauthenticated",
            paramLabel = "N",
            defaultValue = "512",
            description = "Maximum number of connections to one TCP port that have sent nothing, and"
                    + " of connections in the handshake; a further connection displaces one of the network that"
                    + " has most (default: ${DEFAULT-VALUE}).")
    private int unauthenticated;

    @Option(
            names = "--handshake-timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Maximum time in seconds for a host to authenticate itself (default:" + " ${DEFAULT-VALUE}).")
    private int handshake;

    @Option(
            names = "--max-workers",
            paramLabel = "N",
            defaultValue = "512",
            description = "Maximum number of running workers (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--max-workers-per-user",
            paramLabel = "N",
            defaultValue = "256",
            description = "Maximum number of running workers of one user (default: ${DEFAULT-VALUE}).")
    private int workersPerUser;

    @Option(
            names = "--max-env-size",
            paramLabel = "BYTES",
            defaultValue = "262144",
            description = "Maximum size in bytes of the environment that a host passes to a worker (default:"
                    + " ${DEFAULT-VALUE}).")
    private int environmentBytes;

    @Option(
            names = "--max-env-strings",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Maximum number of variables in that environment (default: ${DEFAULT-VALUE}).")
    private int environmentStrings;

    @Option(
            names = "--max-references",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Maximum number of references to workers that one connection may hold (default:"
                    + " ${DEFAULT-VALUE}).")
    private int references;

    Limits limits() {
        return Limits.DEFAULT
                .withConnections(connections, connectionsPerUser)
                .withHandshakes(unauthenticated, Duration.ofSeconds(handshake))
                .withWorkers(workers, workersPerUser)
                .withRequests(environmentBytes, environmentStrings, references);
    }
}

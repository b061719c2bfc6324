// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.service.settings.Limits;
import java.time.Duration;
import picocli.CommandLine.Option;

/** What hosts may use up. */
final class LimitOptions {

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "4096",
            description = "How many connections of hosts there may be (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--max-connections-per-user",
            paramLabel = "N",
            defaultValue = "1024",
            description = "How many of one user (default: ${DEFAULT-VALUE}).")
    private int connectionsPerUser;

    @Option(
            names = "--max-unauthenticated",
            paramLabel = "N",
            defaultValue = "512",
            description = "Maximum number of connections to one TCP port that have sent nothing, and"
                    + " of connections in the handshake; a further one displaces another of the network"
                    + " with most (default: ${DEFAULT-VALUE}).")
    private int unauthenticated;

    @Option(
            names = "--handshake-timeout",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long a host may take to say who it is (default: ${DEFAULT-VALUE}).")
    private int handshake;

    @Option(
            names = "--max-workers",
            paramLabel = "N",
            defaultValue = "512",
            description = "How many workers may run at a time (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--max-workers-per-user",
            paramLabel = "N",
            defaultValue = "256",
            description = "How many of one user (default: ${DEFAULT-VALUE}).")
    private int workersPerUser;

    @Option(
            names = "--max-env-size",
            paramLabel = "BYTES",
            defaultValue = "262144",
            description = "How large an environment a host may give to a worker (default:" + " ${DEFAULT-VALUE}).")
    private int environmentBytes;

    @Option(
            names = "--max-env-strings",
            paramLabel = "N",
            defaultValue = "4096",
            description = "How many variables (default: ${DEFAULT-VALUE}).")
    private int environmentStrings;

    @Option(
            names = "--max-references",
            paramLabel = "N",
            defaultValue = "4096",
            description = "How many workers one connection may hold, counting one that it holds"
                    + " twice as two (default: ${DEFAULT-VALUE}).")
    private int references;

    Limits limits() {
        return Limits.DEFAULT
                .withConnections(connections, connectionsPerUser)
                .withHandshakes(unauthenticated, Duration.ofSeconds(handshake))
                .withWorkers(workers, workersPerUser)
                .withRequests(environmentBytes, environmentStrings, references);
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.ByteSize;
import dev.jurom.cli.shell.WholeSeconds;
import dev.jurom.service.settings.Limits;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Limits on the resources that hosts may use. */
final class LimitOptions {

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = "Maximum number of connections of hosts (default: ${DEFAULT-VALUE}).")
    private int connections = Limits.DEFAULT.connections();

    @Option(
            names = "--max-connections-per-user",
            paramLabel = "N",
            description = "Maximum number of connections of one user (default: ${DEFAULT-VALUE}).")
    private int connectionsPerUser = Limits.DEFAULT.connectionsPerUser();

    @Option(
            names = "--max-unauthenticated",
            paramLabel = "N",
            description = "Maximum number of connections to one TCP port that have sent nothing, and"
                    + " of connections in the handshake; a further connection displaces one of the network that"
                    + " has most (default: ${DEFAULT-VALUE}).")
    private int unauthenticated = Limits.DEFAULT.unauthenticated();

    @Option(
            names = "--handshake-timeout",
            paramLabel = "SECONDS",
            converter = WholeSeconds.class,
            description = "Maximum time in seconds for a host to authenticate itself (default:" + " ${DEFAULT-VALUE}).")
    private long handshake = Limits.DEFAULT.handshake().toSeconds();

    @Option(
            names = "--max-workers",
            paramLabel = "N",
            description = "Maximum number of running workers (default: ${DEFAULT-VALUE}).")
    private int workers = Limits.DEFAULT.workers();

    @Option(
            names = "--max-workers-per-user",
            paramLabel = "N",
            description = "Maximum number of running workers of one user (default: ${DEFAULT-VALUE}).")
    private int workersPerUser = Limits.DEFAULT.workersPerUser();

    @Option(
            names = "--max-env-size",
            paramLabel = "BYTES",
            converter = ByteSize.class,
            description = "Maximum size in bytes of the environment that a host passes to a worker (default:"
                    + " ${DEFAULT-VALUE}).")
    private int environmentBytes = Limits.DEFAULT.environmentBytes();

    @Option(
            names = "--max-env-strings",
            paramLabel = "N",
            description = "Maximum number of variables in that environment (default: ${DEFAULT-VALUE}).")
    private int environmentStrings = Limits.DEFAULT.environmentStrings();

    @Option(
            names = "--max-references",
            paramLabel = "N",
            description = "Maximum number of references to workers that one connection may hold (default:"
                    + " ${DEFAULT-VALUE}).")
    private int references = Limits.DEFAULT.references();

    Limits limits() {
        return Limits.builder()
                .connections(connections)
                .connectionsPerUser(connectionsPerUser)
                .unauthenticated(unauthenticated)
                .handshake(Duration.ofSeconds(handshake))
                .workers(workers)
                .workersPerUser(workersPerUser)
                .environmentBytes(environmentBytes)
                .environmentStrings(environmentStrings)
                .references(references)
                .build();
    }
}

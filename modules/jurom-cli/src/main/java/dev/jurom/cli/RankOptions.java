// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.PmixExchange;
import dev.jurom.urom.exchange.TcpExchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.EnumSet;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Options for the rank of this process and the address at which ranks meet. Without them, the
 * launcher provides both.
 */
final class RankOptions {

    private static final EnumSet<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    @Option(
            names = "--rank",
            paramLabel = "I",
            description = "Rank of this process, from 0. Without this option and the next three, mpirun or"
                    + " another PMIx launcher must start this process and provide these values.")
    private Integer rank;

    @Option(names = "--ranks", paramLabel = "N", converter = PositiveNumber.class, description = "Number of ranks.")
    private Integer ranks;

    @Option(
            names = "--rendezvous",
            paramLabel = "HOST:PORT",
            converter = HostAndPort.class,
            description = "Address at which rank 0 listens and to which the others connect.")
    private InetSocketAddress rendezvous;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File of mode 0600 with at least " + TcpExchange.SHORTEST_TOKEN
                    + " random bytes, the same for all ranks.")
    private Path tokenFile;

    @Spec
    private CommandSpec spec;

    /** Opens the exchange between the ranks. */
    OutOfBandExchange open(Duration timeout) {
        var given = Stream.of(rank, ranks, rendezvous, tokenFile)
                .filter(option -> option != null)
                .count();
        if (given == 0 && !PmixExchange.isLaunched()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Nobody has given this process a rank:"
                            + " start it with mpirun, or with --rank, --ranks, --rendezvous and"
                            + " --token-file");
        }
        if (given == 0) {
            return PmixExchange.open(timeout);
        }
        if (given < 4) {
            throw new ParameterException(
                    spec.commandLine(), "--rank, --ranks, --rendezvous and --token-file go together: give all or none");
        }
        if (rank < 0 || rank >= ranks) {
            throw new ParameterException(
                    spec.commandLine(), "--rank is " + rank + ": it must be from 0 to " + (ranks - 1));
        }
        return rank == 0
                ? TcpExchange.listen(rendezvous, ranks, token(), timeout)
                : TcpExchange.connect(rendezvous, ranks, rank, token(), timeout);
    }

    private byte[] token() {
        try {
            if (!OWNERS.containsAll(Files.getPosixFilePermissions(tokenFile))) {
                throw new IllegalArgumentException(
                        "The token file " + tokenFile + " can be accessed by others: use chmod 600");
            }
            return Files.readAllBytes(tokenFile);
        } catch (IOException e) {
            throw new UncheckedIOException("The token file " + tokenFile + " cannot be read: " + e, e);
        }
    }
}

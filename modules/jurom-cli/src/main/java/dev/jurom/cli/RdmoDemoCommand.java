// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code urom rdmo}: a client appends and scatters into a server's memory through the server's
 * worker. The server then compares its memory with the expected bytes.
 */
@Command(
        name = "rdmo",
        description = "Writes from a client (rank 1) to the memory of a server (rank 0) through the server's worker.")
final class RdmoDemoCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int SERVER_AND_CLIENT = 2;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "1048576",
            converter = PositiveNumber.class,
            description = "Size in bytes of the server's memory (default: ${DEFAULT-VALUE}).")
    private int size;

    @Option(
            names = "--appends",
            paramLabel = "N",
            defaultValue = "200",
            converter = PositiveNumber.class,
            description = "Number of appends (default: ${DEFAULT-VALUE}).")
    private int appends;

    @Option(
            names = "--scatters",
            paramLabel = "N",
            defaultValue = "200",
            converter = PositiveNumber.class,
            description = "Number of scatters (default: ${DEFAULT-VALUE}).")
    private int scatters;

    @Option(
            names = "--vectors",
            paramLabel = "N",
            defaultValue = "32",
            converter = PositiveNumber.class,
            description = "Maximum number of vectors of a scatter (default: ${DEFAULT-VALUE}).")
    private int vectors;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the random operations (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Mixin
    private RankOptions ranks;

    @Mixin
    private ServiceOption service;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (size < RdmoScript.SMALLEST) {
            throw new ParameterException(
                    spec.commandLine(), "--size is " + size + ": it must be at least " + RdmoScript.SMALLEST);
        }
        var script = new RdmoScript(seed, size, appends, scatters, vectors);
        try (var exchange = ranks.open(TIMEOUT)) {
            requireTwo(exchange);
            Agreement.require(exchange, TIMEOUT, script);
            if (exchange.index() == 0) {
                new RdmoServer(exchange, script, service, TIMEOUT).run(System.out);
            } else {
                new RdmoClient(exchange, script, TIMEOUT).run(System.out);
            }
        }
        return 0;
    }

    private void requireTwo(OutOfBandExchange exchange) {
        if (exchange.participants() != SERVER_AND_CLIENT) {
            throw new ParameterException(
                    spec.commandLine(),
                    "rdmo takes a server and a client," + " and " + exchange.participants() + " ranks were started");
        }
    }
}

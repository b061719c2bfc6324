// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.PositiveNumber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Numbers of clients and durations. */
final class LoadSettings {

    @Option(
            names = "--idle",
            paramLabel = "N",
            defaultValue = "9000",
            description = "Number of idle sessions (default: ${DEFAULT-VALUE}).")
    int idle;

    @Option(
            names = "--silent",
            paramLabel = "N",
            defaultValue = "352",
            description = "Number of connections that send nothing (default: ${DEFAULT-VALUE}).")
    int silent;

    @Option(
            names = "--silent-tls",
            paramLabel = "N",
            defaultValue = "96",
            description = "Number of these connections to the TLS port (default: ${DEFAULT-VALUE}).")
    int silentTls;

    @Option(
            names = "--garbage",
            paramLabel = "N",
            defaultValue = "232",
            description = "Number of connections that send garbage at full speed (default: ${DEFAULT-VALUE}).")
    int garbage;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "64",
            converter = PositiveNumber.class,
            description = "Number of workers (default: ${DEFAULT-VALUE}).")
    int workers;

    @Option(
            names = "--hosts",
            paramLabel = "N",
            defaultValue = "8",
            converter = PositiveNumber.class,
            description = "Number of hosts of each worker (default: ${DEFAULT-VALUE}).")
    int hosts;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "20",
            converter = PositiveNumber.class,
            description = "Commands per second of each host (default: ${DEFAULT-VALUE}).")
    int rate;

    @Option(
            names = "--attached",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Number of idle hosts attached to the worker of the measured host (default: ${DEFAULT-VALUE}).")
    int attached;

    @Option(
            names = "--heap",
            paramLabel = "MIB",
            defaultValue = "256",
            converter = PositiveNumber.class,
            description = "Heap size of the service in MiB (default: ${DEFAULT-VALUE}). The service's own default of"
                    + " 128 MiB is for 4,096 connections.")
    int heap;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "2",
            converter = PositiveNumber.class,
            description = "Number of measurements without and with the clients, in turn (default: ${DEFAULT-VALUE}).")
    int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            converter = PositiveNumber.class,
            description = "Duration of each measurement in seconds (default: ${DEFAULT-VALUE}).")
    int seconds;

    private static final int SLACK = 1000; // for files, libraries and the JVM
    private static final int PER_HOST = 3; // a socket and two memory descriptors

    /** Returns the number of concurrent connections of the service. */
    int connections() {
        return idle + silent + garbage + hosts * workers + hosts;
    }

    /**
     * Throws an exception if the descriptor limit of this process is too low. The JVM raises it to the hard
     * limit.
     */
    void requireDescriptors() throws IOException {
        var needed = connections() + PER_HOST * (hosts * workers + attached) + SLACK;
        var limit = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> List.of(line.split(" {2,}")).get(2))
                .findFirst()
                .orElse("unlimited");
        if (!limit.equals("unlimited") && Long.parseLong(limit) < needed) {
            throw new CommandFailure(
                    ExitCode.NOT_PERMITTED,
                    "the limit of open files is " + limit + ", but " + needed
                            + " are required: raise the hard limit (ulimit -Hn), or reduce --idle");
        }
    }
}

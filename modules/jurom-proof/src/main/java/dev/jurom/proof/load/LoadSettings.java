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

/** How large the crowds are, and how long they stay. */
final class LoadSettings {

    @Option(
            names = "--idle",
            paramLabel = "N",
            defaultValue = "9000",
            description = "Sessions that do nothing (default: ${DEFAULT-VALUE}).")
    int idle;

    @Option(
            names = "--idle-tls",
            paramLabel = "N",
            defaultValue = "500",
            description = "Of these, so many over TLS (default: ${DEFAULT-VALUE}).")
    int idleTls;

    @Option(
            names = "--silent",
            paramLabel = "N",
            defaultValue = "352",
            description = "Connections that never say a word (default: ${DEFAULT-VALUE}).")
    int silent;

    @Option(
            names = "--silent-tls",
            paramLabel = "N",
            defaultValue = "96",
            description = "Of these, so many at the TLS port (default: ${DEFAULT-VALUE}).")
    int silentTls;

    @Option(
            names = "--garbage",
            paramLabel = "N",
            defaultValue = "232",
            description =
                    "Connections at a time that send garbage as fast as it is taken" + " (default: ${DEFAULT-VALUE}).")
    int garbage;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "64",
            converter = PositiveNumber.class,
            description = "Workers (default: ${DEFAULT-VALUE}).")
    int workers;

    @Option(
            names = "--hosts",
            paramLabel = "N",
            defaultValue = "8",
            converter = PositiveNumber.class,
            description = "Hosts at each of them (default: ${DEFAULT-VALUE}).")
    int hosts;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "20",
            converter = PositiveNumber.class,
            description = "Commands a second of each host (default: ${DEFAULT-VALUE}).")
    int rate;

    @Option(
            names = "--guests",
            paramLabel = "N",
            defaultValue = "400",
            description = "Around one worker: connections that show a ticket and then nothing"
                    + " (default: ${DEFAULT-VALUE}).")
    int guests;

    @Option(
            names = "--attached",
            paramLabel = "N",
            defaultValue = "4097",
            description = "Around one worker: hosts that are attached to it; a worker takes 4,096"
                    + " (default: ${DEFAULT-VALUE}).")
    int attached;

    @Option(
            names = "--heap",
            paramLabel = "MIB",
            defaultValue = "256",
            converter = PositiveNumber.class,
            description = "The service's heap; its usual one of 128 MiB is for its usual limit of"
                    + " 4,096 connections (default: ${DEFAULT-VALUE}).")
    int heap;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "2",
            converter = PositiveNumber.class,
            description = "Measurements alone and beside the crowd, in turn" + " (default: ${DEFAULT-VALUE}).")
    int rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            converter = PositiveNumber.class,
            description = "How long each measurement takes (default: ${DEFAULT-VALUE}).")
    int seconds;

    private static final int SLACK = 1000; // files, libraries, the JVM's own
    private static final int PER_HOST = 3; // a socket, and two of its memory

    /** The connections that there are at a time around the service. */
    int connections() {
        return idle + silent + garbage + hosts * workers + hosts;
    }

    /** Fails if this user's processes may not have so many descriptors; Java asks for all. */
    void requireDescriptors() throws IOException {
        var needed =
                Math.max(connections() + PER_HOST * hosts * workers, PER_HOST * (guests + attached) + silent) + SLACK;
        var limit = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> List.of(line.split(" {2,}")).get(2))
                .findFirst()
                .orElse("unlimited");
        if (!limit.equals("unlimited") && Long.parseLong(limit) < needed) {
            throw new CommandFailure(
                    ExitCode.NOT_PERMITTED,
                    "A process of this user may have "
                            + limit + " open files and this crowd needs " + needed
                            + ": raise the hard limit (ulimit -Hn), or make it smaller with --idle");
        }
    }
}

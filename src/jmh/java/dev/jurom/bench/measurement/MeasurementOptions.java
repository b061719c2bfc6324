// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The command line of the measurements, as in C. Each measurement uses the relevant options only.
 */
public final class MeasurementOptions {

    /** Payload size in bytes. */
    @Option(names = "--size", defaultValue = "8", description = "Payload size in bytes (default: ${DEFAULT-VALUE}).")
    public int size;

    /** Number of operations in flight. */
    @Option(
            names = "--depth",
            defaultValue = "1",
            description = "Number of operations in flight (default: ${DEFAULT-VALUE}).")
    public int depth;

    /** Number of commands between flushes. */
    @Option(
            names = "--batch",
            defaultValue = "1",
            description = "Number of commands between flushes (default: ${DEFAULT-VALUE}).")
    public int batch;

    /** Number of threads. */
    @Option(names = "--threads", defaultValue = "1", description = "Number of threads (default: ${DEFAULT-VALUE}).")
    public int threads;

    /** True to submit commands only when none is in flight. */
    @Option(names = "--await-all", description = "Submit commands only when none is in flight.")
    public boolean awaitsAll;

    /** True for virtual threads, which share one worker. */
    @Option(names = "--virtual", description = "Use virtual threads, which share one worker.")
    public boolean virtualThreads;

    /** Commands per second in an open loop. */
    @Option(names = "--rate", defaultValue = "1000", description = "Commands per second (default: ${DEFAULT-VALUE}).")
    public int rate;

    /** Maximum message size of the service in bytes. */
    @Option(
            names = "--message-size",
            defaultValue = "4096",
            description = "Maximum message size of the service in bytes (default: ${DEFAULT-VALUE}).")
    public int messageSize;

    /** True for a Unix domain socket instead of TCP. */
    @Option(names = "--unix", description = "Use a Unix domain socket instead of TCP.")
    public boolean unixSocket;

    @Option(
            names = "--cores",
            split = ",",
            defaultValue = "0,1",
            paramLabel = "A,B",
            description = "Cores of this process and its peer; -1 does not pin (default: ${DEFAULT-VALUE}).")
    private int[] cores;

    /** Created by picocli. */
    public MeasurementOptions() {}

    /**
     * Returns the core of this process.
     *
     * @return the number of a core, or a negative number for no pinning
     */
    public int ownCore() {
        return cores[0];
    }

    /**
     * Returns the core of the peer.
     *
     * @return the number of a core, or a negative number for no pinning
     */
    public int peerCore() {
        return cores[1];
    }

    /** Returns the arguments that pass these options to another process. */
    List<String> toArguments() {
        var arguments = new ArrayList<>(List.of(
                "--size",
                Integer.toString(size),
                "--depth",
                Integer.toString(depth),
                "--threads",
                Integer.toString(threads),
                "--message-size",
                Integer.toString(messageSize),
                "--cores",
                ownCore() + "," + peerCore()));
        if (unixSocket) {
            arguments.add("--unix");
        }
        return arguments;
    }
}

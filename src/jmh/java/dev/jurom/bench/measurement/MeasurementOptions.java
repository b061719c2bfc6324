// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The command line of the measurements, as in C. Each uses those options that make sense for it.
 */
public final class MeasurementOptions {

    /** Bytes of a message's payload. */
    @Option(names = "--size", defaultValue = "8", description = "Bytes of a message's payload.")
    public int size;

    /** Operations under way at a time. */
    @Option(names = "--depth", defaultValue = "1", description = "Operations under way at a time.")
    public int depth;

    /** Commands that are submitted and then flushed. */
    @Option(
            names = "--batch",
            defaultValue = "1",
            description = "Commands that are submitted and then flushed; 1: each alone.")
    public int batch;

    /** Threads that take part. */
    @Option(names = "--threads", defaultValue = "1", description = "Threads that take part.")
    public int threads;

    /** Commands a second, in an open loop. */
    @Option(names = "--rate", defaultValue = "1000", description = "Commands a second.")
    public int rate;

    /** The service's largest message. */
    @Option(names = "--message-size", defaultValue = "4096", description = "The service's largest message.")
    public int messageSize;

    /** Whether a Unix domain socket is used instead of TCP. */
    @Option(names = "--unix", description = "A Unix domain socket instead of TCP.")
    public boolean unixSocket;

    @Option(
            names = "--cores",
            split = ",",
            defaultValue = "0,1",
            paramLabel = "A,B",
            description = "Where this process measures and its peer answers; -1: anywhere.")
    private int[] cores;

    /** Made by the command line. */
    public MeasurementOptions() {}

    /**
     * Where this process measures.
     *
     * @return a core; negative: anywhere
     */
    public int ownCore() {
        return cores[0];
    }

    /**
     * Where its peer answers.
     *
     * @return a core; negative: anywhere
     */
    public int peerCore() {
        return cores[1];
    }

    /** The arguments that say the same to another process. */
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

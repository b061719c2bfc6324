// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine;

/** The program of a {@link Peer}: {@code PeerMain NAME OPTIONS...}. It exits when its input is closed. */
public final class PeerMain {

    /** The lines received from the other side. */
    private static final LinkedBlockingQueue<String> LINES = new LinkedBlockingQueue<>();

    private PeerMain() {}

    /**
     * Answers messages until the end of standard input.
     *
     * @param arguments the name of a peer and the options of its measurement
     * @throws Exception if the peer fails
     */
    public static void main(String[] arguments) throws Exception {
        var options = CommandLine.populateCommand(
                new MeasurementOptions(), Arrays.copyOfRange(arguments, 1, arguments.length));
        Thread.ofPlatform().daemon().start(PeerMain::readLines);
        Cores.pin(options.peerCore());
        switch (arguments[0]) {
            case "aeron" -> AeronEcho.serve(options);
            case "grpc" -> GrpcEcho.serve(options);
            case "ucx" -> UcxSide.serve(options);
            default -> throw new IllegalArgumentException("unknown peer " + arguments[0]);
        }
    }

    /** Reads in a separate thread, since the main thread may spin when the other side exits. */
    private static void readLines() {
        try {
            var input = new BufferedReader(new InputStreamReader(System.in));
            for (var line = input.readLine(); line != null; line = input.readLine()) {
                LINES.add(line);
            }
            Runtime.getRuntime().halt(0);
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** Returns the next line of the other side. */
    static String read() {
        try {
            return LINES.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException("a peer was interrupted", e);
        }
    }

    /** Returns the number of messages to answer in the next run. */
    static int readCount() {
        return Integer.parseInt(read());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine;

/** The program of a {@link Peer}: {@code PeerMain NAME OPTIONS...}. It ends with its input. */
public final class PeerMain {

    /** What the other side has said. */
    private static final LinkedBlockingQueue<String> LINES = new LinkedBlockingQueue<>();

    private PeerMain() {}

    /**
     * Answers until the end of standard input.
     *
     * @param arguments the name of a peer, and the options of its measurement
     * @throws Exception if something that cannot fail failed
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
            default -> throw new IllegalArgumentException("There is no peer " + arguments[0]);
        }
    }

    /** It may be spinning when the other side ends. */
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

    /** The next line that the other side says. */
    static String read() {
        try {
            return LINES.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts a peer", e);
        }
    }

    /** How many messages to answer in the next run. */
    static int readCount() {
        return Integer.parseInt(read());
    }
}

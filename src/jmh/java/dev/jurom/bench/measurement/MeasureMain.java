// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.io.IOException;
import java.util.Arrays;
import picocli.CommandLine;

/** The program of the measurements in Java: {@code MeasureMain NAME OPTIONS...}. */
public final class MeasureMain {

    private MeasureMain() {}

    /**
     * Executes rounds until the end of standard input.
     *
     * @param arguments the name of a measurement and its options
     * @throws IOException if standard input cannot be read
     * @throws InterruptedException if the current thread is interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = CommandLine.populateCommand(
                new MeasurementOptions(), Arrays.copyOfRange(arguments, 1, arguments.length));
        switch (arguments[0]) {
            case "paced-loopback" -> PacedRounds.serve(options, answers -> new PacedLoopback(options, answers));
            case "paced-nothing" -> PacedRounds.serve(options, PacedNothing::new);
            case "paced-facade" -> PacedRounds.serve(options, answers -> new PacedFacade(options, answers));
            case "paced-grpc" -> PacedRounds.serve(options, answers -> new PacedGrpc(options, answers));
            default -> serve(arguments[0], options);
        }
    }

    private static void serve(String name, MeasurementOptions options) throws IOException, InterruptedException {
        try (var measurement = open(name, options)) {
            Cores.pin(options.ownCore()); // after the peer has started, which would inherit the affinity
            Rounds.serve(measurement);
        }
    }

    private static Measurement open(String name, MeasurementOptions options) throws InterruptedException {
        return switch (name) {
            case "aeron" -> new AeronMeasurement(options);
            case "callers" -> new CallersMeasurement(options);
            case "downcall" -> new DowncallMeasurement(options);
            case "facade" -> new FacadeMeasurement(options, false);
            case "pool" -> new FacadeMeasurement(options, true);
            case "facade-batch" -> new FacadeBatchMeasurement(options, false);
            case "facade-callbacks" -> new FacadeCallbacksMeasurement(options);
            case "facade-futures" -> new FacadeBatchMeasurement(options, true);
            case "grpc" -> new GrpcMeasurement(GrpcClient.ofPeer(options), options);
            case "grpc-inside" -> new GrpcMeasurement(GrpcClient.ofThisProcess(options), options);
            case "loopback" -> new LoopbackMeasurement(options);
            case "spawn" -> new SpawnMeasurement(options);
            case "threads" -> new ThreadsMeasurement(options);
            case "ucx" -> new UcxMeasurement(options);
            default -> throw new IllegalArgumentException("unknown measurement " + name);
        };
    }
}

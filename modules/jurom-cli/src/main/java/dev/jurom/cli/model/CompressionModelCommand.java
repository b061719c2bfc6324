// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli.model;

import dev.jurom.cli.model.CompressionFigures.InProcess;
import dev.jurom.cli.model.CompressionFigures.Linear;
import dev.jurom.cli.shell.Output;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code urom model compression}: what compression in workers of a DPU would cost. */
@Command(
        name = "compression",
        description = {
            "Estimates compression by zstd in workers of a DPU: throughput, latency and CPU time of the"
                    + " application. Only the properties of the DPU and its link are free; the other figures were"
                    + " measured on one machine without a DPU (docs/compression.md), and options replace them."
        })
final class CompressionModelCommand implements Callable<Integer> {

    private static final double MIB = 1 << 20;
    private static final double MICRO = 1e-6;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--core-speed",
            paramLabel = "FACTOR",
            defaultValue = "1",
            description = "Speed of a core of the DPU, relative to a core of the host (default: ${DEFAULT-VALUE}).")
    private double coreSpeed;

    @Option(
            names = "--link-latency",
            paramLabel = "TIME",
            defaultValue = "0us",
            converter = UnitConverter.Seconds.class,
            description = "Time of a message in one direction, such as 3us (default: ${DEFAULT-VALUE}).")
    private double linkLatency;

    @Option(
            names = "--link-bandwidth",
            paramLabel = "SPEED",
            converter = UnitConverter.BytesPerSecond.class,
            description = "Bandwidth of the link in one direction, such as 25GB/s (default: not limited).")
    private double linkBandwidth = Double.POSITIVE_INFINITY;

    @Option(
            names = "--block-size",
            paramLabel = "SIZE",
            defaultValue = "256KiB",
            converter = UnitConverter.Bytes.class,
            description = "Size of a block (default: ${DEFAULT-VALUE}).")
    private double blockSize;

    @Option(
            names = "--level",
            paramLabel = "N",
            defaultValue = "3",
            description = "Level of zstd: one of those measured (default: ${DEFAULT-VALUE}).")
    private int level;

    @Option(
            names = "--speed",
            paramLabel = "SPEED",
            converter = UnitConverter.BytesPerSecond.class,
            description = "Throughput of zstd in the process, such as 105MiB/s (default: measured).")
    private Double speed;

    @Option(names = "--ratio", paramLabel = "FACTOR", description = "Content divided by output (default: measured).")
    private Double ratio;

    @Option(
            names = "--host-time",
            paramLabel = "TIME",
            converter = UnitConverter.Seconds.class,
            description = "CPU time of the application for a block in a worker (default: measured).")
    private Double hostTime;

    @Option(
            names = "--worker-time",
            paramLabel = "TIME",
            converter = UnitConverter.Seconds.class,
            description = "Time of a worker for a block, beyond its compression, on a core of the host"
                    + " (default: measured).")
    private Double workerTime;

    @Option(
            names = "--added-latency",
            paramLabel = "TIME",
            converter = UnitConverter.Seconds.class,
            description = "Time that a worker adds to a single block on one machine (default: measured).")
    private Double addedLatency;

    @Mixin
    private Output output;

    @Override
    public Integer call() {
        if (!(coreSpeed > 0) || !(linkBandwidth > 0) || !(blockSize > 0)) {
            throw new ParameterException(
                    spec.commandLine(), "--core-speed, --link-bandwidth and --block-size must be positive");
        }
        print(model());
        return 0;
    }

    private CompressionModel model() {
        var figures = CompressionFigures.documented();
        InProcess measured;
        try {
            measured = figures.inProcess(blockSize, level);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return new CompressionModel(
                blockSize,
                new InProcess(
                        speed == null ? measured.bytesPerSecond() : speed, ratio == null ? measured.ratio() : ratio),
                chosen(hostTime, figures.hostTime()),
                chosen(workerTime, figures.workerTime()),
                chosen(addedLatency, figures.latency()),
                coreSpeed,
                linkLatency,
                linkBandwidth);
    }

    private static Linear chosen(Double ofOption, Linear measured) {
        return ofOption == null ? measured : new Linear(ofOption, 0);
    }

    private void print(CompressionModel model) {
        output.print(output.isJson() ? numbers(model) : sentences(model));
    }

    /** Returns the estimates in bytes per second and seconds. */
    private static Map<String, Object> numbers(CompressionModel model) {
        var values = new LinkedHashMap<String, Object>();
        values.put("in_process_bytes_per_second", model.inProcess().bytesPerSecond());
        values.put("one_worker_bytes_per_second", model.throughput());
        values.put(
                "workers_needed",
                model.workers().isPresent() ? Optional.of(model.workers().getAsInt()) : Optional.empty());
        values.put("limit_bytes_per_second", model.limit());
        values.put("in_process_latency_seconds", model.timeInProcess());
        values.put("worker_latency_seconds", model.latency());
        values.put("application_cpu_seconds", model.hostTimeOfBlock());
        values.put("application_cpu_saved", model.saved());
        return values;
    }

    private static Map<String, Object> sentences(CompressionModel model) {
        var values = new LinkedHashMap<String, Object>();
        values.put("in_process", text("%.0f MiB/s", model.inProcess().bytesPerSecond() / MIB));
        values.put(
                "one_worker",
                text(
                        "%.0f MiB/s (%.2f)",
                        model.throughput() / MIB,
                        model.throughput() / model.inProcess().bytesPerSecond()));
        values.put(
                "workers_needed",
                model.workers().isPresent()
                        ? text(
                                "%d for the throughput in process",
                                model.workers().getAsInt())
                        : text("the link or the application limits them to %.0f MiB/s", model.limit() / MIB));
        values.put(
                "latency",
                text("%.0f us (in process %.0f us)", model.latency() / MICRO, model.timeInProcess() / MICRO));
        values.put(
                "application_CPU",
                text(
                        "%.0f us of %.0f us per block: %.0f %% saved",
                        model.hostTimeOfBlock() / MICRO, model.timeInProcess() / MICRO, 100 * model.saved()));
        return values;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

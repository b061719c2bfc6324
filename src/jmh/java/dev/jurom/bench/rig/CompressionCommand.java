// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

import dev.jurom.cli.model.CompressionFigures;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code scripts/bench compression}: blocks compressed by workers, relative to this process. */
@Command(
        name = "compression",
        mixinStandardHelpOptions = true,
        description = "Measure zstd in workers, relative to zstd-jni: throughput, CPU time of this process, and the"
                + " latency of single blocks. Prints tables and the difference from the model of"
                + " `scripts/urom model compression`, and draws an SVG.")
final class CompressionCommand implements Callable<Integer> {

    private static final String PLOT = "compression.svg";
    private static final String FIGURES =
            "modules/jurom-cli/src/main/resources/dev/jurom/cli/model/compression.properties";
    private static final int CONTENT = 8 << 20; // bytes
    private static final int STREAM_CONTENT = 32 << 20; // bytes

    @Option(
            names = "--rounds",
            defaultValue = "7",
            description = "Number of rounds of each measurement (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--plots",
            defaultValue = "target/bench/plots",
            description = "Folder of the plot (default: ${DEFAULT-VALUE}).")
    private Path plots;

    @Option(
            names = "--write",
            description = "Write the tables to docs/compression.md and docs/when-does-it-pay.md, the plot to"
                    + " docs/plots, and the figures of the model.")
    private boolean write;

    @Option(
            names = "--streams",
            description =
                    "Measure only streams: each mode beside zstd-jni, with goals. The workers run on core 1 and this"
                            + " process on core 0, unless --unpinned is set.")
    private boolean streams;

    @Option(
            names = "--block-size",
            defaultValue = "256",
            description = "With --streams: KiB of a block (default: ${DEFAULT-VALUE}).")
    private int kibibytes;

    @Option(names = "--unpinned", description = "With --streams: run on all cores.")
    private boolean unpinned;

    @Option(
            names = "--worker-speed",
            paramLabel = "SHARE",
            defaultValue = "1",
            description =
                    "With --streams: the share of its core that the workers may use, as if it was slower (requires"
                            + " root; default: ${DEFAULT-VALUE}). Measures writes only.")
    private double workerSpeed;

    @Override
    public Integer call() throws Exception {
        if (workerSpeed != 1 && (!streams || unpinned || write)) {
            throw new IllegalArgumentException("--worker-speed is for --streams on fixed cores, whose results are not"
                    + " those of the page: add --streams, and omit --unpinned and --write");
        }
        if (streams) {
            var text = streams();
            System.out.println(text);
            if (write) {
                Page.COMPRESSION.replace("streams", "compression --streams --rounds " + rounds, text);
            }
            return 0;
        }
        CompressionResults results;
        try (var arena = Arena.ofShared()) {
            results = new CompressionRun(SourceText.content(arena, CONTENT), rounds, arena).measure();
        }
        var figures = write ? results.figures() : CompressionFigures.documented();
        var folder = write ? Page.PLOTS : plots;
        Page.write(folder.resolve(PLOT), results.plot());
        if (write) {
            Page.write(Page.source(FIGURES), figures.text());
            Page.COMPRESSION.replace("measurements", "compression --rounds " + rounds, results.tables());
            Page.MODEL.replace("accuracy", "compression --rounds " + rounds, results.modelTable(figures));
            Page.MODEL.replace("estimates", "compression --rounds " + rounds, CompressionEstimates.table(figures));
        }
        System.out.printf(
                "%s%n%s%nPlot written to %s%n", results.tables(), results.modelTable(figures), folder.resolve(PLOT));
        return 0;
    }

    private String streams() throws IOException, InterruptedException {
        byte[] content;
        try (var arena = Arena.ofConfined()) {
            content = SourceText.content(arena, STREAM_CONTENT).toArray(ValueLayout.JAVA_BYTE);
        }
        var own = ProcessHandle.current();
        var all = "0-" + (Runtime.getRuntime().availableProcessors() - 1);
        try (var run = new CompressionStreams(content, rounds, kibibytes << 10)) {
            if (unpinned) {
                return run.measure("on all cores");
            }
            pin(own.pid(), "0");
            for (var process : own.descendants().toList()) {
                pin(process.pid(), "1");
            }
            var cores = "this process on core 0, workers on core 1";
            if (workerSpeed == 1) {
                return run.measure(cores);
            }
            try (var quota = new CpuQuota(workerSpeed)) {
                for (var process : own.descendants().toList()) {
                    quota.add(process.pid());
                }
                return run.measureWithSlowWorkers(cores + " with " + workerSpeed + " of its time");
            }
        } finally {
            pin(own.pid(), all); // the description of the machine has the number of cores
        }
    }

    /** Pins all threads of a process to cores. */
    private static void pin(long process, String cores) throws IOException, InterruptedException {
        var taskset = new ProcessBuilder("taskset", "-a", "-c", "-p", cores, "" + process)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (taskset.waitFor() != 0) {
            throw new IOException("taskset cannot pin process " + process + " to cores " + cores);
        }
    }
}

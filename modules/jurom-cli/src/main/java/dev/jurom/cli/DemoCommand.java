// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.WorkerId;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code urom demo}: threads that offload commands, each to a worker process of its own, and check
 * every answer; the main thread has the service.
 */
@Command(name = "demo", mixinStandardHelpOptions = true,
        description = "Offloads loopback commands from several threads, each to its own worker.")
final class DemoCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Option(names = "--workers", paramLabel = "N", defaultValue = "4",
            converter = PositiveNumber.class,
            description = "How many threads, each with one worker (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(names = "--commands", paramLabel = "N", defaultValue = "10000",
            converter = PositiveNumber.class,
            description = "How many commands each thread offloads (default: ${DEFAULT-VALUE}).")
    private int commands;

    @Mixin
    private ServiceOption service;

    @Override
    public Integer call() throws InterruptedException {
        var out = System.out;
        try (var chosen = service.open(out)) {
            run(out);
        }
        return 0;
    }

    private void run(PrintStream out) throws InterruptedException {
        try (var engine = ProgressEngine.create();
                var device = Device.open();
                var service = this.service.start(engine, device, workers)) {
            var plugin = GraphPlugin.find(service);
            out.println("          " + device + ", CPUs " + service.cpuSet() + ", plugins "
                    + service.plugins().stream().map(PluginInfo::name)
                            .collect(Collectors.joining(", ")));
            offload(out, service, plugin);
        }
    }

    private void offload(PrintStream out, UromService service, PluginInfo plugin)
            throws InterruptedException {
        var crew = new DemoCrew(service, plugin, workers, commands);
        try (crew) {
            var start = System.nanoTime();
            crew.startWorkers();
            progressUntil(service, crew::areWorkersRunning, crew);
            out.printf(Locale.ROOT, "spawn     %d workers in %.0f ms%n", workers,
                    (System.nanoTime() - start) / 1e6);
            start = System.nanoTime();
            crew.startCommands();
            progressUntil(service, crew::areCommandsDone, crew);
            report(out, crew.results(), System.nanoTime() - start);
            for (var group = 0; group < 2; group++) {
                out.println("group " + group + "   "
                        + Arrays.stream(service.workersByGroup(group, TIMEOUT)).sorted()
                                .mapToObj(WorkerId::toString).collect(Collectors.joining(" ")));
            }
            crew.startTeardown();
            progressUntil(service, crew::isTornDown, crew);
        }
    }

    /** Progresses the service while the other threads work. */
    private static void progressUntil(UromService service, BooleanSupplier done,
            DemoCrew crew) {
        while (!done.getAsBoolean()) {
            crew.rethrow();
            service.engine().progress();
            service.engine().waitForEvent(Duration.ofMillis(1));
        }
        crew.rethrow();
    }

    private static void report(PrintStream out, List<DemoWorker.Result> results, long nanoseconds) {
        var total = 0L;
        for (var result : results) {
            out.printf(Locale.ROOT,
                    "worker    id %s, process %s, CPUs %s: %d commands, p50 %.1f us, p99 %.1f us%n",
                    WorkerId.toString(result.id()), result.process(), result.cpus(),
                    result.commands(), result.roundTrips().getValueAtPercentile(50) / 1e3,
                    result.roundTrips().getValueAtPercentile(99) / 1e3);
            total += result.commands();
        }
        out.printf(Locale.ROOT, "total     %d commands in %.2f s, %.0f a second, every answer"
                + " right%n",
                total, nanoseconds / 1e9, total / (nanoseconds / 1e9));
    }
}

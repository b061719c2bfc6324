// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.cli.shell.Table;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.WorkerId;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code urom demo}: threads offload commands, each to its own worker process, and check every
 * answer. The main thread progresses the service.
 */
@Command(name = "demo", description = "Offloads loopback commands from several threads, each to its own worker.")
final class DemoCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "4",
            converter = PositiveNumber.class,
            description = "Number of threads, each with one worker (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--commands",
            paramLabel = "N",
            defaultValue = "10000",
            converter = PositiveNumber.class,
            description = "Number of commands per thread (default: ${DEFAULT-VALUE}).")
    private int commands;

    @Mixin
    private ServiceOption service;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws InterruptedException {
        try (var chosen = service.open(output::say)) {
            run();
        }
        return 0;
    }

    private void run() throws InterruptedException {
        try (var engine = ProgressEngine.create();
                var device = Device.open();
                var service = this.service.start(engine, device, workers)) {
            var plugin = GraphPlugin.find(service);
            output.say("          " + device + ", CPUs " + service.cpuSet() + ", plugins "
                    + service.plugins().stream().map(PluginInfo::name).collect(Collectors.joining(", ")));
            offload(service, plugin);
        }
    }

    private void offload(UromService service, PluginInfo plugin) throws InterruptedException {
        var crew = new DemoCrew(service, plugin, workers, commands);
        try (crew) {
            var start = System.nanoTime();
            crew.startWorkers();
            progressUntil(service, crew::areWorkersRunning, crew);
            output.say("spawn     %d workers in %.0f ms", workers, (System.nanoTime() - start) / 1e6);
            start = System.nanoTime();
            crew.startCommands();
            progressUntil(service, crew::areCommandsDone, crew);
            report(crew.results(), System.nanoTime() - start);
            for (var group = 0; group < 2; group++) {
                output.say("group " + group + "   "
                        + Arrays.stream(service.workersByGroup(group, TIMEOUT))
                                .sorted()
                                .mapToObj(WorkerId::toString)
                                .collect(Collectors.joining(" ")));
            }
            crew.startTeardown();
            progressUntil(service, crew::isTornDown, crew);
        }
    }

    /** Progresses the service while the other threads work. */
    private static void progressUntil(UromService service, BooleanSupplier done, DemoCrew crew) {
        while (!done.getAsBoolean()) {
            crew.rethrow();
            service.engine().progress();
            service.engine().waitForEvent(Duration.ofMillis(1));
        }
        crew.rethrow();
    }

    private void report(List<DemoWorker.Result> results, long nanoseconds) {
        var total = 0L;
        var table = Table.of("worker", "process", "cpus", "commands", "p50_ns", "p99_ns");
        for (var result : results) {
            var p50 = result.roundTrips().getValueAtPercentile(50);
            var p99 = result.roundTrips().getValueAtPercentile(99);
            output.say(
                    "worker    id %s, process %s, CPUs %s: %d commands, p50 %.1f us," + " p99 %.1f us",
                    WorkerId.toString(result.id()),
                    result.process(),
                    result.cpus(),
                    result.commands(),
                    p50 / 1e3,
                    p99 / 1e3);
            table.row(WorkerId.toString(result.id()), result.process(), result.cpus(), result.commands(), p50, p99);
            total += result.commands();
        }
        output.say(
                "total     %d commands in %.2f s, %.0f a second, every answer right",
                total, nanoseconds / 1e9, total / (nanoseconds / 1e9));
        if (output.isJson()) {
            output.print(table);
        }
    }
}

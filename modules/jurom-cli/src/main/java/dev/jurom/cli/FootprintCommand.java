// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.cli.shell.Progress;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code urom footprint}: measures the cost of idle workers. Spawns workers one after the other,
 * leaves them idle, and reads their usage from Linux. The exit code is 1 if a limit is exceeded.
 */
@Command(name = "footprint", description = "Measures the time to spawn workers, and the memory and CPU of idle ones.")
final class FootprintCommand implements Callable<Integer> {

    private static final double SPAWN_P50_LIMIT_MS = 15;
    private static final double MEMORY_LIMIT_MIB = 1.5;
    private static final double CPU_LIMIT_PERCENT = 0.1;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration SETTLING = Duration.ofMillis(200);
    private static final String VARIABLE = "JUROM_FOOTPRINT";
    private static final double NANOS_PER_MS = 1e6;
    private static final double BYTES_PER_MIB = 1 << 20;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "64",
            converter = PositiveNumber.class,
            description = "Number of workers to spawn (default: ${DEFAULT-VALUE}).")
    private int workers;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            converter = PositiveNumber.class,
            description = "Time in seconds to measure idle workers (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Mixin
    private ServiceOption service;

    @Mixin
    private Output output;

    private final Map<String, Object> figures = new LinkedHashMap<>();
    private boolean withinLimits = true;

    @Override
    public Integer call() throws IOException {
        try (var chosen = service.open(output::say);
                var engine = ProgressEngine.create();
                var device = Device.open();
                var running = service.start(engine, device, workers)) {
            measure(running);
        }
        if (output.isJson()) {
            output.print(figures);
        }
        return withinLimits ? ExitCode.DONE : ExitCode.FOUND_WRONG;
    }

    private void measure(UromService service) throws IOException {
        var mark = UUID.randomUUID().toString();
        var plugin = GraphPlugin.find(service);
        var started = new ArrayList<UromWorker>();
        try (var progress = new Progress()) {
            var times = new Histogram(3);
            for (var i = 0; i < workers; i++) {
                progress.show("spawned workers:", i, workers);
                started.add(create(service, plugin, mark));
                var start = System.nanoTime();
                started.getLast().startAndWait(TIMEOUT);
                times.recordValue(System.nanoTime() - start);
            }
            progress.clear();
            report(times, WorkerProcessSearch.findAll(VARIABLE, mark));
        } finally {
            started.reversed().forEach(UromWorker::close);
        }
    }

    private static UromWorker create(UromService service, PluginInfo plugin, String mark) {
        return UromWorker.create(service.engine(), service).setPlugins(plugin).setEnvironment(Map.of(VARIABLE, mark));
    }

    private void report(Histogram times, List<Long> processes) throws IOException {
        if (processes.size() != workers) {
            throw new IllegalStateException("Of " + workers + " workers, " + processes.size()
                    + " are processes on this machine: only those can be measured");
        }
        output.say("workers   " + workers + " on " + Runtime.getRuntime().availableProcessors() + " cores");
        var p50 = times.getValueAtPercentile(50) / NANOS_PER_MS;
        figures.put("workers", workers);
        figures.put("spawn_p50_ms", p50);
        line(
                p50 < SPAWN_P50_LIMIT_MS,
                "spawn     p50 %.1f ms, p90 %.1f ms, longest %.1f ms" + " (p50 below %.0f ms)",
                p50,
                times.getValueAtPercentile(90) / NANOS_PER_MS,
                times.getMaxValue() / NANOS_PER_MS,
                SPAWN_P50_LIMIT_MS);

        pause(SETTLING);
        var begin = usages(processes);
        var start = System.nanoTime();
        pause(Duration.ofSeconds(seconds));
        var end = usages(processes);
        var elapsed = System.nanoTime() - start;

        var share =
                end.stream().mapToLong(ProcessUsage::proportionalBytes).max().orElseThrow() / BYTES_PER_MIB;
        var resident = end.stream().mapToLong(ProcessUsage::residentBytes).max().orElseThrow() / BYTES_PER_MIB;
        figures.put("largest_proportional_mib", share);
        figures.put("largest_resident_mib", resident);
        line(
                share <= MEMORY_LIMIT_MIB,
                "memory    %.1f MiB in the largest, and %.1f MiB with"
                        + " what it shares with others (at most %.1f MiB)",
                share,
                resident,
                MEMORY_LIMIT_MIB);
        var percent = 100.0 * (cpuNanos(end) - cpuNanos(begin)) / elapsed;
        figures.put("idle_cpu_percent", percent);
        line(
                percent <= CPU_LIMIT_PERCENT,
                "idle CPU  %.2f %% of one core for all together," + " over %d s (at most %.1f %%)",
                percent,
                seconds,
                CPU_LIMIT_PERCENT);
    }

    private void line(boolean within, String format, Object... values) {
        output.say(String.format(Locale.ROOT, format, values) + (within ? "" : "  EXCEEDED"));
        withinLimits &= within;
        figures.put("within_limits", withinLimits);
    }

    private static List<ProcessUsage> usages(List<Long> processes) throws IOException {
        var usages = new ArrayList<ProcessUsage>();
        for (var process : processes) {
            try {
                usages.add(ProcessUsage.of(process));
            } catch (AccessDeniedException e) {
                throw e;
            } catch (IOException e) {
                throw new CommandFailure(
                        ExitCode.LOST, "Worker process " + process + " has ended; the service's log may say why", e);
            }
        }
        return usages;
    }

    private static long cpuNanos(List<ProcessUsage> usages) {
        return usages.stream().mapToLong(ProcessUsage::cpuNanos).sum();
    }

    private static void pause(Duration length) {
        var end = System.nanoTime() + length.toNanos();
        for (var left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}

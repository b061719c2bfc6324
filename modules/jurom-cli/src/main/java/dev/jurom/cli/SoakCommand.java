// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Output;
import dev.jurom.cli.shell.PositiveNumber;
import dev.jurom.cli.shell.Progress;
import dev.jurom.cli.shell.ServiceOption;
import dev.jurom.cli.shell.Table;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphPlugin;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code urom soak}: whether anything grows while commands are given, contexts are opened and closed,
 * and workers are spawned. The host is this process; so is a private service. Exit code 1 if something
 * grows.
 */
@Command(name = "soak",
        description = "Looks for growth of heap, memory and descriptors under load.")
final class SoakCommand implements Callable<Integer> {

    private static final int SAMPLES = 16;
    private static final int WARM_UP_SHARE = 4; // a quarter as much as is measured
    private static final int PIPELINE = 32;
    private static final String VARIABLE = "JUROM_SOAK";

    private static final double KIB = 1024;
    private static final double HEAP_LIMIT = 512 * KIB;
    private static final double MEMORY_LIMIT = 4096 * KIB; // the allocator and the JVM have slack
    private static final double DESCRIPTOR_LIMIT = 0.5;

    @Option(names = "--commands", paramLabel = "N", defaultValue = "1000000",
            converter = PositiveNumber.class,
            description = "Commands to give (default: ${DEFAULT-VALUE}).")
    private int commands;

    @Option(names = "--calls", paramLabel = "N", defaultValue = "100000",
            converter = PositiveNumber.class,
            description = "Commands to give one at a time (default: ${DEFAULT-VALUE}).")
    private int calls;

    @Option(names = "--cycles", paramLabel = "N", defaultValue = "10000",
            converter = PositiveNumber.class,
            description = "Connections to a running worker to open and close"
            + " (default: ${DEFAULT-VALUE}).")
    private int cycles;

    @Option(names = "--spawns", paramLabel = "N", defaultValue = "10000",
            converter = PositiveNumber.class,
            description = "Worker processes to spawn and end (default: ${DEFAULT-VALUE}).")
    private int spawns;

    @Mixin
    private ServiceOption service;

    @Mixin
    private Output output;

    private boolean grows;

    /** What is done so and so often. */
    @FunctionalInterface
    private interface Work {
        void run(long count) throws InterruptedException;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (var chosen = service.open(output::say)) {
            explicitCommands();
            try (var urom = Urom.open(
                    UromConfiguration.builder().maxMessageSize(service.maxMessageSize()).build())) {
                facade(urom);
            }
        }
        return grows ? ExitCode.FOUND_WRONG : ExitCode.DONE;
    }

    /** Commands through the explicit interface, as many in flight as there are tasks. */
    private void explicitCommands() throws IOException, InterruptedException {
        var mark = UUID.randomUUID().toString();
        try (var engine = ProgressEngine.create();
                var device = Device.open();
                var running = service.start(engine, device, 1);
                var pipeline = SoakPipeline.open(running, PIPELINE, Map.of(VARIABLE, mark))) {
            measure("commands", process(mark), commands, pipeline::run);
        }
    }

    private void facade(Urom urom) throws IOException, InterruptedException {
        var mark = UUID.randomUUID().toString();
        var usual = WorkerConfiguration.builder(GraphPlugin.NAME).tasks(1);
        try (var worker = urom.startWorker(WorkerConfiguration.builder(GraphPlugin.NAME)
                .environment(Map.of(VARIABLE, mark)).build())) {
            var process = process(mark);
            measure("calls", process, calls, count -> call(worker, count));
            measure("submissions", process, calls, count -> submit(worker, count));
            var spawned = usual.build();
            var connected = usual.id(worker.id()).build();
            measure("connections", process, cycles,
                    count -> openAndClose(urom, connected, count));
            measure("spawns", process, spawns, count -> openAndClose(urom, spawned, count));
        }
    }

    private static void call(Worker worker, long count) throws InterruptedException {
        for (var i = 0L; i < count; i++) {
            require(i, worker.call(GraphPlugin.LOOPBACK, i));
        }
    }

    /** Submissions, of which every third is cancelled. */
    private static void submit(Worker worker, long count) throws InterruptedException {
        var answers = new ArrayDeque<CompletableFuture<Long>>();
        for (var i = 0L; i < count; i++) {
            var answer = worker.submit(GraphPlugin.LOOPBACK, i);
            if (i % 3 == 0) {
                answer.cancel(false);
            } else {
                answers.add(answer);
            }
            if (answers.size() == PIPELINE) {
                answers.removeFirst().join();
            }
        }
        answers.forEach(CompletableFuture::join);
    }

    private static void openAndClose(Urom urom, WorkerConfiguration configuration, long count)
            throws InterruptedException {
        for (var i = 0L; i < count; i++) {
            try (var worker = urom.startWorker(configuration)) {
                require(i, worker.call(GraphPlugin.LOOPBACK, i));
            }
        }
    }

    private static void require(long sent, long answer) {
        if (answer != sent) {
            throw new IllegalStateException("A worker answered " + answer + " to " + sent);
        }
    }

    private static long process(String mark) {
        return WorkerProcessSearch.findAll(VARIABLE, mark).stream().findFirst().orElseThrow(
                () -> new IllegalStateException("The worker is not on this machine: only one that is"
                        + " can be measured"));
    }

    private void measure(String what, long worker, int count, Work work)
            throws IOException, InterruptedException {
        try (var progress = new Progress()) {
            measure(what, worker, count, work, progress);
        }
    }

    private void measure(String what, long worker, int count, Work work, Progress progress)
            throws IOException, InterruptedException {
        work.run(Math.max(1, count / WARM_UP_SHARE));
        var samples = new ArrayList<Footprint>();
        samples.add(Footprint.of(worker));
        var start = System.nanoTime();
        for (var i = 1; i < SAMPLES; i++) {
            progress.show(what + ": sample", i, SAMPLES);
            work.run(Math.max(1, count / (SAMPLES - 1)));
            samples.add(Footprint.of(worker));
        }
        progress.clear();
        output.say("%-9s %d in %.1f s", what, count, (System.nanoTime() - start) / 1e9);
        var table = Table.of("what", "quantity", "first", "last", "trend", "grows");
        line(table, samples, what, "heap", Footprint::heap, KIB, HEAP_LIMIT);
        line(table, samples, what, "host memory", Footprint::hostMemory, KIB, MEMORY_LIMIT);
        line(table, samples, what, "host descriptors", Footprint::hostDescriptors, 1,
                DESCRIPTOR_LIMIT);
        line(table, samples, what, "worker memory", Footprint::workerMemory, KIB, MEMORY_LIMIT);
        line(table, samples, what, "worker descriptors", Footprint::workerDescriptors, 1,
                DESCRIPTOR_LIMIT);
        if (output.isJson()) {
            output.print(table);
        }
    }

    private void line(Table table, ArrayList<Footprint> samples, String what, String name,
            ToLongFunction<Footprint> quantity, double unit, double limit) {
        var growth = Growth.of(samples, quantity);
        var within = growth.trend() < limit;
        table.row(what, name, growth.first(), growth.last(), growth.trend(), !within);
        output.say("          %-18s %8.0f to %8.0f, trend %+9.1f%s%s", name,
                growth.first() / unit, growth.last() / unit, growth.trend() / unit,
                unit == 1 ? "" : " KiB", within ? "" : "  GROWS");
        grows |= !within;
    }
}

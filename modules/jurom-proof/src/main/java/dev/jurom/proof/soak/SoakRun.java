// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.cli.shell.CommandFailure;
import dev.jurom.cli.shell.ExitCode;
import dev.jurom.cli.shell.Progress;
import dev.jurom.proof.faults.FaultTable;
import dev.jurom.proof.process.ChildProgram;
import dev.jurom.proof.process.ProcessFigures;
import dev.jurom.proof.process.ServiceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a service, a watched host, disposable hosts and disturbances for a given time, and takes a sample
 * every second, or less often on a busy machine. Not thread-safe.
 */
final class SoakRun {

    private static final long WATCHED = 1; // id of its worker
    private static final int DISPOSABLE_HOSTS = 2;
    private static final int HEAP_EVERY = 10; // seconds
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path SHARED = Path.of("/dev/shm");
    /** A preallocated heap, so that growing memory is not caused by the heap. */
    private static final List<String> FIXED_HEAP =
            List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final List<Sample> samples = new ArrayList<>();
    private final List<String> words = new ArrayList<>(); // final output of the hosts
    private final Duration time;
    private final long seed;
    private final boolean faults;
    private String summary = "";
    private long serviceHeap;
    private long hostHeap;

    /** Creates a run; {@code faults} selects a build with fault points. */
    SoakRun(Duration time, long seed, boolean faults) {
        this.time = time;
        this.faults = faults;
        this.seed = seed;
    }

    /** Executes the run with its files in a folder. */
    void run(Path folder) throws IOException, InterruptedException {
        var table = folder.resolve("faults");
        Map<String, String> environment = faults ? Map.of(FaultTable.VARIABLE, table.toString()) : Map.of();
        try (var drawn = faults ? new RandomFaults(table) : null;
                var service = ServiceProcess.start(folder, FIXED_HEAP, environment, List.of());
                var host = DisposableHost.start(service.serviceFile(), WATCHED, FIXED_HEAP, Map.of());
                var progress = new Progress()) {
            var worker = awaitWorker(service, host);
            var hosts = new ArrayList<DisposableHost>();
            try {
                for (var i = 0; i < DISPOSABLE_HOSTS; i++) {
                    hosts.add(new DisposableHost(service.serviceFile(), environment));
                }
                soak(
                        service,
                        host,
                        worker,
                        new Disturbances(service, hosts, Optional.ofNullable(drawn), seed),
                        progress);
                host.request("look", PATIENCE).forEach(line -> words.add("watched host: " + line));
                for (var disposable : hosts) {
                    disposable
                            .program()
                            .request("look", PATIENCE)
                            .forEach(line -> words.add("disposable host: " + line));
                }
            } finally {
                hosts.forEach(DisposableHost::close);
            }
        }
    }

    private void soak(
            ServiceProcess service, ChildProgram host, long worker, Disturbances disturbances, Progress progress)
            throws IOException, InterruptedException {
        var begin = System.nanoTime();
        var next = begin;
        var second = 0L;
        var heapsAt = 0L;
        while (second < time.toSeconds()) {
            progress.show("second", second, time.toSeconds());
            if (!service.isAlive() || !host.isAlive()) {
                throw new CommandFailure(
                        ExitCode.FOUND_WRONG,
                        "the " + (service.isAlive() ? "watched host" : "service") + " exited after " + second
                                + " s; seed " + seed);
            }
            if (second >= heapsAt) {
                heapsAt = second + HEAP_EVERY;
                serviceHeap = HeapUse.of(service.pid());
                hostHeap = HeapUse.of(host.pid());
            }
            samples.add(new Sample(
                    ProcessFigures.of(service.pid()),
                    ProcessFigures.of(host.pid()),
                    ProcessFigures.of(worker),
                    serviceHeap,
                    hostHeap,
                    service.workers().size(),
                    service.files(),
                    ServiceProcess.count(SHARED)));
            disturbances.cause();
            next = Math.max(next + TimeUnit.SECONDS.toNanos(1), System.nanoTime());
            LockSupport.parkNanos(next - System.nanoTime());
            second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        }
        disturbances.end();
        summary = disturbances.summary();
    }

    /** Waits for the worker of the watched host and returns its process. */
    private static long awaitWorker(ServiceProcess service, ChildProgram host) {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            var found = service.status().workers().stream()
                    .filter(worker -> worker.id() == WATCHED && worker.ready())
                    .findFirst();
            if (found.isPresent()) {
                return found.get().process();
            }
            if (!host.isAlive() || System.nanoTime() - deadline > 0) {
                throw new CommandFailure(
                        ExitCode.LOST, "the watched host did not start a worker within " + PATIENCE.toSeconds() + " s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** Returns the samples. */
    List<Sample> samples() {
        return samples;
    }

    /** Returns the final output of the hosts. */
    List<String> words() {
        return words;
    }

    /** Returns a summary of the disturbances. */
    String disturbances() {
        return summary;
    }
}

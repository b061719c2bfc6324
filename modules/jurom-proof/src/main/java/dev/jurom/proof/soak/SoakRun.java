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
 * A service, a host that is watched, hosts that are killed, and mischief, for a time; a sample of it
 * all every second, or as often as a busy machine lets it. Of one thread.
 */
final class SoakRun {

    private static final long WATCHED = 1; // its worker's id
    private static final int MORTALS = 2;
    private static final int HEAP_EVERY = 10; // seconds
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path SHARED = Path.of("/dev/shm");
    /** A heap that is all there from the beginning: memory that grows is then something else. */
    private static final List<String> FIXED_HEAP =
            List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final List<Sample> samples = new ArrayList<>();
    private final List<String> words = new ArrayList<>(); // of the hosts, in the end
    private final Duration time;
    private final long seed;
    private final boolean faults;
    private String mischief = "";
    private long serviceHeap;
    private long hostHeap;

    /** A run; {@code faults}: of a build that has fault points. */
    SoakRun(Duration time, long seed, boolean faults) {
        this.time = time;
        this.faults = faults;
        this.seed = seed;
    }

    /** Runs; its files are put into a folder. */
    void run(Path folder) throws IOException, InterruptedException {
        var table = folder.resolve("faults");
        Map<String, String> environment = faults ? Map.of(FaultTable.VARIABLE, table.toString()) : Map.of();
        try (var drawn = faults ? new DrawnFaults(table) : null;
                var service = ServiceProcess.start(folder, FIXED_HEAP, environment, List.of());
                var host = MortalHost.start(service.serviceFile(), WATCHED, FIXED_HEAP, Map.of());
                var progress = new Progress()) {
            var worker = awaitWorker(service, host);
            var mortals = new ArrayList<MortalHost>();
            try {
                for (var i = 0; i < MORTALS; i++) {
                    mortals.add(new MortalHost(service.serviceFile(), environment));
                }
                soak(service, host, worker, new Mischief(service, mortals, Optional.ofNullable(drawn), seed), progress);
                host.ask("look", PATIENCE).forEach(line -> words.add("watched host: " + line));
                for (var mortal : mortals) {
                    mortal.program().ask("look", PATIENCE).forEach(line -> words.add("mortal host: " + line));
                }
            } finally {
                mortals.forEach(MortalHost::close);
            }
        }
    }

    private void soak(ServiceProcess service, ChildProgram host, long worker, Mischief mischiefs, Progress progress)
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
                        "The "
                                + (service.isAlive() ? "watched host" : "service") + " has ended after "
                                + second + " s; seed " + seed);
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
            mischiefs.happen();
            next = Math.max(next + TimeUnit.SECONDS.toNanos(1), System.nanoTime());
            LockSupport.parkNanos(next - System.nanoTime());
            second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        }
        mischiefs.goOn();
        mischief = mischiefs.summary();
    }

    /** The process of the worker of the watched host, which is the only one at first. */
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
                        ExitCode.LOST, "The watched host has no worker within " + PATIENCE.toSeconds() + " s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** What was seen each second. */
    List<Sample> samples() {
        return samples;
    }

    /** What the hosts said of themselves in the end. */
    List<String> words() {
        return words;
    }

    /** What was done to them. */
    String mischief() {
        return mischief;
    }
}

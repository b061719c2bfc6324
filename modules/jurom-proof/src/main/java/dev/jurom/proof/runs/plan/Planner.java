// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.plan;

import dev.jurom.proof.faults.Fault;
import dev.jurom.proof.faults.FaultAction;
import dev.jurom.proof.faults.FaultPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Draws the plan of a run deterministically from the seed and the number of the run. */
public final class Planner {

    /** The id of the worker that all runs of a job share. */
    public static final long RESIDENT = 1;
    /** One of this many runs uses new processes. */
    public static final int FRESH_EVERY = 25;

    private static final long IDS_OF_A_RUN = 8; // after the resident worker
    private static final int MAX_HOSTS = 5;
    private static final int MAX_FAULTS = 4;
    private static final int MAX_BYTES = 3500; // fits into the maximum message size of the service
    /** Actions that may leave a command unanswered, so that a long patience only delays the run. */
    private static final Set<FaultAction> UNANSWERED = EnumSet.of(
            FaultAction.SILENCE, FaultAction.WRONG_CONTEXT, FaultAction.CORRUPT, FaultAction.JUMP, FaultAction.FAIL);

    private static final Duration SHORT_PATIENCE = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int SHORTEST_TIME_MICROS = 100;
    private static final int LONGEST_TIME_MICROS = 100_000;
    private static final int LONGEST_OF_DOMAINS_MICROS = 500_000; // workers of domains start slowly

    private final long seed;
    private final int run;
    private final SplittableRandom random;

    private Planner(long seed, int run) {
        this.seed = seed;
        this.run = run;
        random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + run);
    }

    /** Returns the names of the fault points from which faults are drawn. */
    public static List<String> points() {
        return FaultDraw.points().stream().map(FaultPoint::name).toList();
    }

    /** Draws the plan of a run. */
    public static RunPlan draw(long seed, int run) {
        return new Planner(seed, run).draw();
    }

    /** Returns a worker id that no host of a run uses. */
    public static long ownWorker(RunPlan plan) {
        return RESIDENT + (plan.run() + 1) * IDS_OF_A_RUN;
    }

    private RunPlan draw() {
        var fresh = run % FRESH_EVERY == 0;
        var hosts = DomainPlan.among(hosts(), seed, run, 2 + run * IDS_OF_A_RUN);
        var signals = new ArrayList<PlannedSignal>();
        var faults = new LinkedHashMap<FaultPoint, Fault>(); // at most one per point
        var hasDomain = hosts.stream().anyMatch(host -> host.domain().isPresent());
        var draw = new FaultDraw(random, fresh, hosts.stream().anyMatch(host -> host.kind() == HostKind.C), hasDomain);
        var count = random.nextInt(4) == 0 ? 0 : random.nextInt(1, MAX_FAULTS + 1);
        for (var i = 0; i < count; i++) {
            if (random.nextInt(3) == 0) {
                signals.add(signal(hosts, fresh, hasDomain));
            } else {
                var fault = draw.draw();
                faults.put(fault.point(), fault);
            }
        }
        if (count > 0 && random.nextBoolean()) {
            new EffectiveFaults(random).draw().forEach(fault -> faults.putIfAbsent(fault.point(), fault));
        }
        var patience =
                faults.values().stream().map(Fault::action).anyMatch(UNANSWERED::contains) ? SHORT_PATIENCE : PATIENCE;
        return new RunPlan(
                seed,
                run,
                fresh,
                hosts.stream().map(host -> host.withPatience(patience)).toList(),
                signals,
                List.copyOf(faults.values()));
    }

    private List<HostPlan> hosts() {
        return IntStream.range(0, random.nextInt(2, MAX_HOSTS + 1))
                .mapToObj(number -> new HostPlan(
                        run,
                        number,
                        kind(),
                        random.nextLong(),
                        PATIENCE,
                        random.nextInt(8) == 0 ? Ending.ABRUPT : Ending.ORDERLY,
                        workers()))
                .toList();
    }

    private HostKind kind() {
        return switch (random.nextInt(5)) {
            case 0 -> HostKind.EXPLICIT;
            case 1 -> HostKind.FACADE;
            default -> HostKind.C;
        };
    }

    /** Usually one worker, often shared with other hosts. */
    private List<WorkerPlan> workers() {
        return random
                .ints(random.nextInt(4) == 0 ? 2 : 1, 0, 6)
                .distinct()
                .mapToObj(choice -> worker(choice < 3 ? RESIDENT : 2 + run * IDS_OF_A_RUN + choice))
                .toList()
                .stream()
                .distinct()
                .toList();
    }

    private WorkerPlan worker(long id) {
        var depth = 1 << random.nextInt(6);
        var commands = random.nextInt(6) == 0 ? random.nextInt(200, 600) : random.nextInt(1, 60);
        var bytes = commands >= 200 || random.nextInt(3) == 0 ? MAX_BYTES : random.nextInt(200);
        return new WorkerPlan(id, commands, depth, bytes, random.nextInt(3) == 0 ? random.nextInt(2, 9) : 1);
    }

    private PlannedSignal signal(List<HostPlan> hosts, boolean fresh, boolean hasDomain) {
        var target = switch (random.nextInt(fresh ? 8 : 6)) {
            case 0, 1, 2 -> SignalTarget.WORKER;
            case 3, 4, 5 -> SignalTarget.HOST;
            default -> SignalTarget.DAEMON;
        };
        var stopped = random.nextInt(3) == 0 ? Duration.ofMillis(random.nextInt(1, 60)) : Duration.ZERO;
        return new PlannedSignal(
                target,
                random.nextInt(hosts.size()),
                time(hasDomain ? LONGEST_OF_DOMAINS_MICROS : LONGEST_TIME_MICROS),
                stopped);
    }

    /** Returns a time with a logarithmically uniform distribution. */
    private Duration time(int longestMicros) {
        var power = random.nextDouble(Math.log(SHORTEST_TIME_MICROS), Math.log(longestMicros));
        return Duration.ofNanos((long) (Math.exp(power) * 1000));
    }
}

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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Draws the plan of a run deterministically from the seed and the number of the run. */
public final class Planner {

    /** The id of the worker that all runs of a job share. */
    public static final long RESIDENT = 1;

    private static final long IDS_OF_A_RUN = 8; // after the resident worker
    private static final int DOMAIN_IDS = 3; // the first ids, for the members of a domain
    private static final int RDMO_ID = 6; // after the ids that hosts draw
    private static final int FRESH_EVERY = 25; // one of this many runs uses new processes
    private static final int JAVA_EVERY = 10; // one of this many runs may use a worker with a plugin in Java
    private static final long SEED_OF_JAVA = 0x6A617661L; // independent of other random numbers
    private static final int REMOTE_EVERY = 6; // one of this many runs may have hosts that connect by TLS
    private static final long SEED_OF_REMOTE = 0x72656D6F7465L; // independent of other random numbers
    private static final int MAX_HOSTS = 5;
    private static final int MAX_FAULTS = 6;
    private static final List<Double> SHARES = List.of(0.0, 0.1, 0.3, 0.8);
    private static final int MAX_BYTES = 3500; // fits into the maximum message size of the service
    /** Actions that may leave a command unanswered, so that a long timeout only delays the run. */
    private static final Set<FaultAction> UNANSWERED = EnumSet.of(
            FaultAction.SILENCE, FaultAction.WRONG_CONTEXT, FaultAction.CORRUPT, FaultAction.JUMP, FaultAction.FAIL);

    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int SHORTEST_TIME_MICROS = 100;
    private static final int LONGEST_TIME_MICROS = 100_000;
    private static final int LONGEST_OF_DOMAINS_MICROS = 500_000; // workers of domains start slowly

    private final long seed;
    private final int run;
    private final SplittableRandom random;
    private final long javaWorker; // 0: none
    private double facades;
    private double abrupt;
    private double residents;
    private double many;
    private double large;
    private double batches;

    private Planner(long seed, int run) {
        this.seed = seed;
        this.run = run;
        random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + run);
        var usesJava = new SplittableRandom(SEED_OF_JAVA ^ seed * 0x9E3779B97F4A7C15L + run).nextInt(JAVA_EVERY) == 0;
        javaWorker = usesJava ? id(DOMAIN_IDS) : 0;
    }

    /** Returns the id of the worker with the plugin {@code worker_rdmo} in a run. */
    public static long rdmoWorker(int run) {
        return 2 + run * IDS_OF_A_RUN + RDMO_ID;
    }

    /** Returns the names of the fault points from which faults are drawn. */
    public static List<String> points() {
        return FaultDraw.points().stream().map(FaultPoint::name).toList();
    }

    /** Draws the plan of a run. */
    public static RunPlan draw(long seed, int run) {
        return new Planner(seed, run).draw();
    }

    private RunPlan draw() {
        var fresh = random.nextInt(FRESH_EVERY) == 0;
        var hosts = remote(DomainPlan.among(hosts(), seed, run, id(0)));
        var signals = new ArrayList<PlannedSignal>();
        var faults = new LinkedHashMap<FaultPoint, Fault>(); // at most one per point
        var hasDomain = hosts.stream().anyMatch(host -> host.domain().isPresent());
        var draw = new FaultDraw(random, fresh, hosts);
        var count = random.nextInt(5) == 0 ? 0 : random.nextInt(1, MAX_FAULTS + 1);
        var signalShare = random.nextInt(4); // of this run, in thirds
        for (var i = 0; i < count; i++) {
            if (random.nextInt(3) < signalShare) {
                signals.add(signal(hosts, fresh, hasDomain));
            } else {
                draw.draw().ifPresent(fault -> faults.put(fault.point(), fault));
            }
        }
        var timeout =
                faults.values().stream().map(Fault::action).anyMatch(UNANSWERED::contains) ? SHORT_TIMEOUT : TIMEOUT;
        return new RunPlan(
                seed,
                run,
                fresh,
                hosts.stream().map(host -> host.withTimeout(timeout)).toList(),
                signals,
                List.copyOf(faults.values()));
    }

    /**
     * Draws the hosts. The share of each feature is drawn for each run, so that some runs test a few features
     * intensively.
     */
    private List<HostPlan> hosts() {
        facades = choose(SHARES);
        abrupt = choose(SHARES);
        residents = choose(SHARES);
        many = choose(SHARES);
        large = choose(SHARES);
        batches = choose(SHARES);
        return IntStream.range(0, random.nextInt(2, MAX_HOSTS + 1))
                .mapToObj(number -> new HostPlan(
                        run,
                        number,
                        occurs(facades) ? HostKind.FACADE : HostKind.C,
                        random.nextLong(),
                        TIMEOUT,
                        occurs(abrupt) ? Ending.ABRUPT : Ending.ORDERLY,
                        workers()))
                .toList();
    }

    /** Connects some of the C hosts by TLS, in one of six runs. */
    private List<HostPlan> remote(List<HostPlan> hosts) {
        var remotes = new SplittableRandom(SEED_OF_REMOTE ^ seed * 0x9E3779B97F4A7C15L + run);
        return remotes.nextInt(REMOTE_EVERY) > 0
                ? hosts
                : hosts.stream()
                        .map(host -> host.kind().isProcess() && remotes.nextInt(3) > 0 ? host.remote() : host)
                        .toList();
    }

    private double choose(List<Double> shares) {
        return shares.get(random.nextInt(shares.size()));
    }

    private boolean occurs(double share) {
        return random.nextDouble() < share;
    }

    /** Draws the workers of a host: usually one, which other hosts often share. */
    private List<WorkerPlan> workers() {
        return random
                .ints(random.nextInt(4) == 0 ? 2 : 1, DOMAIN_IDS, DOMAIN_IDS + 3)
                .mapToObj(choice -> worker(occurs(residents) ? RESIDENT : id(choice)))
                .collect(Collectors.toMap(WorkerPlan::id, Function.identity(), (one, other) -> one, LinkedHashMap::new))
                .values()
                .stream()
                .toList();
    }

    /** Returns one of the worker ids of this run. */
    private long id(int choice) {
        return 2 + run * IDS_OF_A_RUN + choice;
    }

    private WorkerPlan worker(long id) {
        var depth = 1 << random.nextInt(6);
        var commands = occurs(many) ? random.nextInt(200, 600) : random.nextInt(1, 60);
        var bytes = commands >= 200 || occurs(large) ? MAX_BYTES : random.nextInt(200);
        return new WorkerPlan(
                id,
                commands,
                depth,
                bytes,
                occurs(batches) ? random.nextInt(2, 9) : 1,
                id == javaWorker ? WorkerPlan.JAVA_PLUGIN : WorkerPlan.C_PLUGIN);
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

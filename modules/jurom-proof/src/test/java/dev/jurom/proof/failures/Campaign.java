// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import static dev.jurom.proof.failures.InvariantChecks.ECHO;
import static dev.jurom.proof.failures.InvariantChecks.TIMEOUT;

import dev.jurom.CallOptions;
import dev.jurom.DomainConfiguration;
import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.proof.failures.Injection.Role;
import dev.jurom.service.EmbeddedService;
import dev.jurom.urom.exchange.OutOfBandExchange;
import dev.jurom.urom.exchange.ThreadExchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs in which threads submit commands to a few workers while one thread fails. */
final class Campaign {

    private static final int FIRST_RUNS = 3; // runs without a failure, which find the reached sites
    private static final int MOST_PASSES = 4; // powers of two
    private static final int THREADS = 12; // more than all slots
    private static final int VIRTUAL_EVERY = 3;
    private static final int STARVED_EVERY = 2; // runs
    private static final int MOST_STARVATIONS = 4;
    private static final long STARVATION_NANOS = 20_000_000;
    private static final int ACTIONS = 12; // of a thread
    private static final int LARGEST_BATCH = 6;
    private static final double SHORTEST_NANOS = 1_000; // few commands are answered within this time
    private static final double LONGEST_NANOS = 300_000; // most commands are answered within this time

    private final SplittableRandom random;
    private final Injection injection;
    private final InvariantChecks checks = new InvariantChecks();
    private final Queue<Submitted> submitted = new ConcurrentLinkedQueue<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Integer> sizes; // numbers of slots per worker
    private final Urom urom;
    private final OutOfBandExchange exchange = ThreadExchange.open(2).getFirst(); // without the other participant

    /** An action of a thread on a worker, with its relative frequency and whether it may time out. */
    private enum Kind {
        CALL(4, false, false),
        CALL_WITH_TIMEOUT(2, false, false),
        SHORT_CALL(3, true, false),
        CALL_ALL(3, false, false),
        SUBMIT_AND_GET(3, false, true),
        SUBMIT(3, false, true),
        SHORT_SUBMIT(1, true, true),
        CANCEL(1, true, true),
        TRY_SUBMIT(2, false, false),
        START(1, false, false);

        private static final List<Kind> DRAWN = Stream.of(values())
                .flatMap(kind -> Collections.nCopies(kind.weight, kind).stream())
                .toList();

        private final int weight;
        private final boolean mayBeLate;
        private final boolean submits;

        Kind(int weight, boolean mayBeLate, boolean submits) {
            this.weight = weight;
            this.mayBeLate = mayBeLate;
            this.submits = submits;
        }
    }

    /** An action of a thread. Its command has a random key, which the answer must contain. */
    private static final class Action {

        private final Kind kind;
        private final SplittableRandom random;
        private final long key;
        private final boolean mayBeQueued;
        private volatile boolean hit; // by the injected failure

        private Action(Kind kind, SplittableRandom random) {
            this.kind = kind;
            this.random = random;
            this.key = random.nextLong();
            this.mayBeQueued = kind.submits || Thread.currentThread().isVirtual();
        }

        private CallOptions shortTimeout() {
            return CallOptions.DEFAULT.withTimeout(Duration.ofNanos(
                    (long) Math.exp(random.nextDouble(Math.log(SHORTEST_NANOS), Math.log(LONGEST_NANOS)))));
        }
    }

    /** A future and its action. */
    private record Submitted(CompletableFuture<Long> answer, Action action) {}

    private Campaign(SplittableRandom random, Injection injection) throws InterruptedException {
        this.random = random;
        this.injection = injection;
        this.urom = Urom.open(UromConfiguration.builder().callTimeout(TIMEOUT).build());
        this.sizes = List.of(1, 2, 4).subList(random.nextInt(2), 3);
        for (var tasks : sizes) {
            workers.add(urom.startWorker(WorkerConfiguration.builder(GraphPlugin.NAME)
                    .tasks(tasks)
                    .submitTimeout(TIMEOUT)
                    .build()));
        }
        urom.startDomainAsync(DomainConfiguration.builder(exchange)
                .worker(workers.getFirst())
                .build()); // never starts, and keeps the engine thread busy
    }

    /**
     * Executes runs with one failure each until a violation. Prints a line for each violation, and a final
     * line.
     *
     * @param arguments the seed, the number of runs, and optionally a failure for all runs
     */
    public static void main(String[] arguments) throws InterruptedException {
        var seed = Long.parseLong(arguments[0]);
        var runs = Integer.parseInt(arguments[1]);
        var hits = 0;
        var violations = List.<String>of();
        try (var service = EmbeddedService.open()) {
            for (var run = -FIRST_RUNS; run < runs && violations.isEmpty(); run++) {
                var random = new SplittableRandom(seed + run);
                var injection = run < 0 ? Injection.NONE : draw(random);
                if (run >= 0 && arguments.length > 2) {
                    injection = Injection.parse(arguments[2]);
                }
                violations = new Campaign(random, injection).run();
                for (var violation : violations) {
                    System.out.println("violation " + (seed + run) + " " + injection + " " + violation);
                }
                hits += Injection.hasOccurred() ? 1 : 0;
            }
        }
        System.out.println("hits " + hits);
        System.exit(0);
    }

    /** Draws a failure; one of four is on the engine thread. */
    private static Injection draw(SplittableRandom random) {
        var role = random.nextInt(4) == 0 ? Role.ENGINE : Role.APPLICATION;
        var sites = Injection.reached(role);
        var kinds = Injection.Kind.values();
        return new Injection(
                role,
                role == Role.APPLICATION ? kinds[random.nextInt(kinds.length)] : Injection.Kind.OUT_OF_MEMORY,
                sites.get(random.nextInt(sites.size())),
                1 + random.nextInt(1 << random.nextInt(MOST_PASSES)));
    }

    /** Executes a run; returns the violations. */
    private List<String> run() throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (var i = 0; i < THREADS; i++) {
            var threadRandom = random.split();
            var builder = i % VIRTUAL_EVERY == 0
                    ? Thread.ofVirtual()
                    : Thread.ofPlatform().daemon();
            threads.add(builder.unstarted(() -> act(threadRandom)));
        }
        injection.arm(threads.get(random.nextInt(THREADS)));
        threads.forEach(Thread::start);
        if (random.nextInt(STARVED_EVERY) == 0) {
            starve();
        }
        checks.join(threads);
        Injection.disarm();
        checkFutures();
        for (var i = 0; i < workers.size(); i++) {
            checks.checkSlots(workers.get(i), sizes.get(i));
        }
        checks.checkClose(urom);
        exchange.close();
        return checks.violations();
    }

    /** Occupies all carrier threads a few times, so that other virtual threads cannot run. */
    private void starve() throws InterruptedException {
        for (var times = 1 + random.nextInt(MOST_STARVATIONS); times > 0; times--) {
            var carriers = Integer.getInteger("jdk.virtualThreadScheduler.parallelism");
            var end = System.nanoTime() + STARVATION_NANOS;
            var computing = IntStream.range(0, carriers)
                    .mapToObj(carrier -> Thread.startVirtualThread(() -> {
                        while (System.nanoTime() - end < 0) {
                            Thread.onSpinWait();
                        }
                    }))
                    .toList();
            for (var thread : computing) {
                thread.join();
            }
        }
    }

    private void act(SplittableRandom threadRandom) {
        for (var i = 0; i < ACTIONS && checks.violations().isEmpty(); i++) {
            var kind = Kind.DRAWN.get(threadRandom.nextInt(Kind.DRAWN.size()));
            act(new Action(kind, threadRandom), workers.get(threadRandom.nextInt(workers.size())));
        }
        act(new Action(Kind.CALL, threadRandom), workers.getFirst());
    }

    private void act(Action action, Worker worker) {
        var before = Injection.hasOccurred();
        Throwable failure = null;
        try {
            perform(action, worker);
        } catch (Throwable e) {
            failure = e;
        }
        action.hit = Injection.isVictim() && !before && Injection.hasOccurred();
        if (action.hit) {
            Thread.interrupted(); // the interrupt status may be preserved
        } else if (failure != null) {
            check(action, failure);
        }
    }

    private void perform(Action action, Worker worker) throws Exception {
        var key = action.key;
        switch (action.kind) {
            case CALL -> require(action, worker.call(ECHO, key));
            case CALL_WITH_TIMEOUT -> require(action, worker.call(ECHO, key, CallOptions.DEFAULT.withTimeout(TIMEOUT)));
            case SHORT_CALL -> require(action, worker.call(ECHO, key, action.shortTimeout()));
            case CALL_ALL -> {
                var size = action.random.nextInt(LARGEST_BATCH);
                var keys = action.random.longs(size).boxed().toList();
                if (!worker.callAll(ECHO, keys).equals(keys)) {
                    checks.addViolation(action.kind + " received wrong answers");
                }
            }
            case SUBMIT_AND_GET -> {
                var answer = submit(action, worker.submit(ECHO, key));
                require(action, answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
            }
            case SUBMIT -> submit(action, worker.submit(ECHO, key));
            case SHORT_SUBMIT -> submit(action, worker.submit(ECHO, key, action.shortTimeout()));
            case CANCEL -> submit(action, worker.submit(ECHO, key)).cancel(false);
            case TRY_SUBMIT -> worker.trySubmit(ECHO, key).ifPresent(answer -> submit(action, answer));
            case START -> {
                if (Injection.isVictim()) { // only in one thread, since it is slow
                    urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME)).close();
                }
            }
        }
    }

    private CompletableFuture<Long> submit(Action action, CompletableFuture<Long> answer) {
        submitted.add(new Submitted(answer, action));
        return answer;
    }

    private void require(Action action, long answer) {
        if (answer != action.key) {
            checks.addViolation(action.kind + " received the answer of another command");
        }
    }

    private void check(Action action, Throwable failure) {
        var cause = failure instanceof ExecutionException ? failure.getCause() : failure;
        var late = cause instanceof DocaException doca
                        && (doca.error() == DocaError.TIME_OUT || doca.error() == DocaError.AGAIN)
                || cause instanceof CancellationException;
        // A thread that releases a slot submits the first queued command. If the thread fails, the command fails.
        var explained = (injection.role() != Role.APPLICATION || action.mayBeQueued) && Injection.isCauseOf(failure);
        if (!(action.kind.mayBeLate && late) && !explained) {
            checks.addViolation(action.kind + " without the injected failure", failure);
        }
    }

    private void checkFutures() {
        var end = System.nanoTime() + TIMEOUT.toNanos() * 3 / 2;
        for (var entry : submitted) {
            try {
                var answer = entry.answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (!entry.action.hit) {
                    require(entry.action, answer);
                }
            } catch (TimeoutException e) {
                checks.addViolation("a future is still pending: " + entry.action.kind);
            } catch (Exception e) {
                if (!entry.action.hit) {
                    check(entry.action, e);
                }
            }
        }
    }
}

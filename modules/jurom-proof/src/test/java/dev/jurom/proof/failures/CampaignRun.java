// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.failures;

import static dev.jurom.proof.failures.InvariantChecks.ECHO;
import static dev.jurom.proof.failures.InvariantChecks.PATIENCE;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.DocaError;
import dev.jurom.core.DocaException;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads submit commands to a few workers while one thread fails. */
final class CampaignRun {

    private static final int THREADS = 8;
    private static final int VIRTUAL_EVERY = 4;
    private static final int ACTIONS = 12;
    private static final int KINDS_OF_ACTIONS = 24;
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

    /** A future and the expected answer. */
    private record Submitted(long key, CompletableFuture<Long> answer, Action act) {}

    /** An action of a thread. */
    private static final class Action {

        private final String name;
        private final boolean mayBeLate;
        private volatile boolean hit;

        private Action(String name, boolean mayBeLate) {
            this.name = name;
            this.mayBeLate = mayBeLate;
        }
    }

    /** The commands of an action. */
    private interface Body {
        void run(Worker worker, Action act, SplittableRandom random) throws Exception;
    }

    private CampaignRun(SplittableRandom random, Injection injection) {
        this.random = random;
        this.injection = injection;
        this.urom = Urom.open(UromConfiguration.builder().callTimeout(PATIENCE).build());
        this.sizes = List.of(1, 2, 4).subList(random.nextInt(2), 3);
        for (var tasks : sizes) {
            workers.add(urom.startWorker(WorkerConfiguration.builder(GraphPlugin.NAME)
                    .tasks(tasks)
                    .submitTimeout(PATIENCE)
                    .build()));
        }
    }

    /** Executes a run; returns the violations. */
    static List<String> violations(SplittableRandom random, Injection injection) throws InterruptedException {
        var run = new CampaignRun(random, injection);
        run.work();
        Injection.disarm();
        run.checkFutures();
        for (var i = 0; i < run.workers.size(); i++) {
            run.checks.checkSlots(run.workers.get(i), run.sizes.get(i));
        }
        run.checks.checkClose(run.urom);
        return run.checks.violations();
    }

    private void work() throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (var i = 0; i < THREADS; i++) {
            var mine = random.split();
            threads.add((i % VIRTUAL_EVERY == 0
                            ? Thread.ofVirtual()
                            : Thread.ofPlatform().daemon())
                    .unstarted(() -> act(mine)));
        }
        injection.arm(threads.get(random.nextInt(THREADS)));
        threads.forEach(Thread::start);
        checks.join(threads);
    }

    private void act(SplittableRandom mine) {
        for (var i = 0; i < ACTIONS && checks.violations().isEmpty(); i++) {
            var worker = workers.get(mine.nextInt(workers.size()));
            switch (mine.nextInt(KINDS_OF_ACTIONS)) {
                case 0, 1, 2, 3 -> act("call", false, worker, mine, this::call);
                case 4, 5 ->
                    act(
                            "call with a timeout",
                            false,
                            worker,
                            mine,
                            (to, act, its) -> require(act, 1, to.call(ECHO, 1L, PATIENCE)));
                case 6, 7, 8 ->
                    act(
                            "short call",
                            true,
                            worker,
                            mine,
                            (to, act, its) -> require(act, 2, to.call(ECHO, 2L, shortTimeout(its))));
                case 9, 10, 11 -> act("callAll", false, worker, mine, this::callAll);
                case 12, 13, 14 ->
                    act("submit and get", false, worker, mine, (to, act, its) -> {
                        var key = its.nextLong();
                        require(
                                act,
                                key,
                                submit(key, to.submit(ECHO, key), act).get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
                    });
                case 15, 16, 17 ->
                    act("submit", false, worker, mine, (to, act, its) -> {
                        var key = its.nextLong();
                        submit(key, to.submit(ECHO, key), act);
                    });
                case 18 ->
                    act("short submit", true, worker, mine, (to, act, its) -> {
                        submit(3, to.submit(ECHO, 3L, shortTimeout(its)), act);
                    });
                case 19 ->
                    act(
                            "cancel",
                            true,
                            worker,
                            mine,
                            (to, act, its) ->
                                    submit(4, to.submit(ECHO, 4L), act).cancel(false));
                case 20 -> act("submit that fails to unpack", false, worker, mine, this::fail);
                case 21, 22 ->
                    act("trySubmit", false, worker, mine, (to, act, its) -> {
                        var key = its.nextLong();
                        to.trySubmit(ECHO, key).ifPresent(answer -> submit(key, answer, act));
                    });
                default ->
                    act("start", false, worker, mine, (to, act, its) -> {
                        if (injection.isVictim()) { // slower than the other actions
                            urom.startWorker(WorkerConfiguration.of(GraphPlugin.NAME))
                                    .close();
                        }
                    });
            }
        }
        act("last call", false, workers.getFirst(), mine, this::call);
    }

    private void act(String name, boolean mayBeLate, Worker worker, SplittableRandom mine, Body body) {
        var act = new Action(name, mayBeLate);
        var before = injection.isOver();
        Throwable failure = null;
        try {
            body.run(worker, act, mine);
        } catch (Throwable e) {
            failure = e;
        }
        act.hit = injection.isVictim() && !before && injection.isOver();
        if (act.hit) {
            Thread.interrupted(); // the interrupt status may be preserved
        } else if (failure != null) {
            check(act, failure);
        }
    }

    private void call(Worker worker, Action act, SplittableRandom mine) throws InterruptedException {
        var key = mine.nextLong();
        require(act, key, worker.call(ECHO, key));
    }

    private void callAll(Worker worker, Action act, SplittableRandom mine) throws InterruptedException {
        var keys = mine.longs(mine.nextInt(LARGEST_BATCH)).boxed().toList();
        if (!worker.callAll(ECHO, keys).equals(keys)) {
            checks.violation(act.name + " received wrong answers");
        }
    }

    private void fail(Worker worker, Action act, SplittableRandom mine) throws Exception {
        var thrown = new Exception("thrown by an unpacker");
        try {
            worker.submit(
                            Offload.<Long, Long>of(
                                    GraphPlugin.NAME,
                                    GraphPlugin.VERSION,
                                    GraphCodec::packLoopback,
                                    response -> throwUndeclared(thrown)),
                            5L)
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            checks.violation(act.name + " returned an answer");
        } catch (ExecutionException e) {
            if (e.getCause() != thrown && e.getCause().getCause() != thrown) {
                throw e;
            }
        }
    }

    /** Throws a checked exception without declaring it, as other JVM languages can. */
    @SuppressWarnings("unchecked")
    private static <T, E extends Exception> T throwUndeclared(Exception thrown) throws E {
        throw (E) thrown;
    }

    private static Duration shortTimeout(SplittableRandom mine) {
        return Duration.ofNanos((long) Math.exp(mine.nextDouble(Math.log(SHORTEST_NANOS), Math.log(LONGEST_NANOS))));
    }

    private CompletableFuture<Long> submit(long key, CompletableFuture<Long> answer, Action act) {
        submitted.add(new Submitted(key, answer, act));
        return answer;
    }

    private void require(Action act, long key, long answer) {
        if (answer != key) {
            checks.violation(act.name + " received the answer of another command");
        }
    }

    private void check(Action act, Throwable failure) {
        var cause = failure instanceof ExecutionException ? failure.getCause() : failure;
        var late = cause instanceof DocaException doca
                        && (doca.error() == DocaError.TIME_OUT || doca.error() == DocaError.AGAIN)
                || cause instanceof CancellationException;
        var explained = injection.role() != Injection.Role.APPLICATION && Injection.isCauseOf(failure);
        if (!(act.mayBeLate && late) && !explained) {
            checks.violation(act.name + " without the injected failure", failure);
        }
    }

    private void checkFutures() {
        var end = System.nanoTime() + PATIENCE.toNanos() * 3 / 2;
        for (var one : submitted) {
            try {
                var answer = one.answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (!one.act.hit) {
                    require(one.act, one.key, answer);
                }
            } catch (TimeoutException e) {
                checks.violation("a future is still pending: " + one.act.name);
            } catch (Exception e) {
                if (!one.act.hit) {
                    check(one.act, e);
                }
            }
        }
    }
}

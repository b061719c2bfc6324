// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.soak;

import dev.jurom.Urom;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.UromService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The workload of a host: commands through the explicit API and the facade, one at a time and concurrently,
 * cancelled ones, connections to its worker, and workers that it spawns and stops. After a failure it closes
 * everything, counts the failure, and starts again. One thread runs the workload; any thread may print the
 * results.
 */
final class HostWorkload {

    private static final int DEPTH = 32;
    private static final int COMMANDS = 200; // of each kind in a round
    private static final long PAUSE_NANOS = 20_000_000; // between rounds
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final long workerId;
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong spawns = new AtomicLong();
    private final Map<String, Integer> failures = new TreeMap<>();

    /** Creates a host of the worker with the given id, which it may share. */
    HostWorkload(long workerId) {
        this.workerId = workerId;
    }

    /** Runs until the condition is true. */
    void run(BooleanSupplier stops) throws InterruptedException {
        while (!stops.getAsBoolean()) {
            try {
                openAndWork(stops);
            } catch (RuntimeException e) {
                countFailure(e);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void countFailure(RuntimeException e) {
        synchronized (failures) {
            failures.merge(
                    String.valueOf(e.getMessage()).replaceAll("\\d+", "N").replace('\n', ' '), 1, Integer::sum);
        }
    }

    private void openAndWork(BooleanSupplier stops) throws InterruptedException {
        try (var engine = ProgressEngine.create();
                var device = Device.open();
                var service = UromService.create(engine, device)) {
            service.start();
            try (var pipeline = Pipeline.open(service, workerId, DEPTH);
                    var urom = Urom.open();
                    var worker = urom.startWorker(configuration(workerId))) {
                while (!stops.getAsBoolean()) {
                    pipeline.run(COMMANDS);
                    answers.addAndGet(COMMANDS);
                    call(worker);
                    submit(worker);
                    open(urom, configuration(workerId));
                    connections.incrementAndGet();
                    open(
                            urom,
                            WorkerConfiguration.builder(GraphPlugin.NAME)
                                    .tasks(1)
                                    .build());
                    spawns.incrementAndGet();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }
    }

    private static WorkerConfiguration configuration(long id) {
        return WorkerConfiguration.builder(GraphPlugin.NAME).id(id).build();
    }

    private void call(Worker worker) throws InterruptedException {
        for (var i = 0L; i < COMMANDS; i++) {
            require(i, worker.call(GraphPlugin.LOOPBACK, i));
        }
    }

    private void submit(Worker worker) throws InterruptedException {
        var pending = new ArrayList<CompletableFuture<Long>>();
        for (var i = 0L; i < COMMANDS; i++) {
            var answer = worker.submit(GraphPlugin.LOOPBACK, i);
            if (i % 3 == 0) {
                answer.cancel(false);
            } else {
                pending.add(answer.thenApply(it -> it));
            }
        }
        for (var answer : pending) {
            await(answer);
        }
        answers.addAndGet(pending.size());
    }

    private static void await(CompletableFuture<Long> answer) throws InterruptedException {
        try {
            answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("HANG: no answer within " + PATIENCE, e);
        }
    }

    private void open(Urom urom, WorkerConfiguration configuration) throws InterruptedException {
        try (var worker = urom.startWorker(configuration)) {
            require(1, worker.call(GraphPlugin.LOOPBACK, 1L));
        }
    }

    private void require(long sent, long answer) {
        if (answer != sent) {
            throw new IllegalStateException("WRONG: a worker answered " + answer + " instead of " + sent);
        }
        answers.incrementAndGet();
    }

    /** Prints the counts, then a line for each kind of failure. */
    synchronized void print() {
        System.out.println(
                answers.get() + " answers, " + connections.get() + " connections, " + spawns.get() + " spawns");
        synchronized (failures) {
            failures.forEach((why, times) -> System.out.println(times + " x " + why));
        }
    }
}

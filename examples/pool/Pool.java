// SPDX-License-Identifier: Apache-2.0
import dev.jurom.CallOptions;
import dev.jurom.PoolConfiguration;
import dev.jurom.PoolWorkerCounters;
import dev.jurom.Urom;
import dev.jurom.WorkerConfiguration;
import dev.jurom.WorkerPool;
import dev.jurom.plugin.graph.GraphPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Sends commands to a pool of two workers, one of which is killed meanwhile and replaced. */
public class Pool {

    private static final int COMMANDS = 2_000;
    private static final int WORKERS = 2;

    public static void main(String[] arguments) throws Exception {
        var configuration = PoolConfiguration.builder(WorkerConfiguration.of(GraphPlugin.NAME))
                .workers(WORKERS)
                .build();
        var options = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(10)).withIdempotent(true);
        try (var urom = Urom.open();
                var pool = urom.startPool(configuration);
                var callers = Executors.newFixedThreadPool(4)) {
            var answers = new ArrayList<Future<Long>>();
            for (var i = 0L; i < COMMANDS; i++) {
                var value = i;
                answers.add(callers.submit(() -> pool.call(GraphPlugin.LOOPBACK, value, options)));
            }
            killWorker();
            for (var i = 0; i < COMMANDS; i++) {
                if (answers.get(i).get() != i) {
                    throw new IllegalStateException(
                            "command " + i + " has the answer " + answers.get(i).get());
                }
            }
            awaitReplacement(pool);
            System.out.printf(
                    "%d commands answered, %d repeated; workers: %d started, %d exited%n",
                    COMMANDS,
                    pool.repetitions(),
                    starts(pool),
                    pool.counters().stream()
                            .mapToLong(PoolWorkerCounters::exits)
                            .sum());
        }
    }

    /** Kills a worker of the service in this process: a process that the launcher of the service has started. */
    private static void killWorker() {
        ProcessHandle.current()
                .children()
                .flatMap(ProcessHandle::children)
                .findFirst()
                .orElseThrow()
                .destroyForcibly();
    }

    private static void awaitReplacement(WorkerPool pool) throws InterruptedException {
        while (starts(pool) == WORKERS) {
            Thread.sleep(10);
        }
    }

    private static long starts(WorkerPool pool) {
        return pool.counters().stream().mapToLong(PoolWorkerCounters::starts).sum();
    }
}

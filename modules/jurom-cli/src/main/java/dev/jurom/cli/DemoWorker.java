// SPDX-License-Identifier: Apache-2.0
package dev.jurom.cli;

import dev.jurom.core.ContextState;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.CpuSet;
import dev.jurom.urom.PluginInfo;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import dev.jurom.urom.WorkerId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;

/** One thread of the demo: its progress engine, its worker, and the commands that it offloads. */
final class DemoWorker implements Runnable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String VARIABLE = "JUROM_DEMO_WORKER";
    private static final long LONGEST_ROUND_TRIP_NS = 60_000_000_000L;
    private static final int WARM_UP_COMMANDS = 2000;

    /** The result of one thread of the demo. */
    record Result(long id, String process, CpuSet cpus, long commands, Histogram roundTrips) {}

    /** The latches at which the threads of the demo meet. */
    record Phases(
            CountDownLatch running,
            CountDownLatch begin,
            CountDownLatch done,
            CountDownLatch leave,
            CountDownLatch left) {

        static Phases of(int threads) {
            return new Phases(
                    new CountDownLatch(threads),
                    new CountDownLatch(1),
                    new CountDownLatch(threads),
                    new CountDownLatch(1),
                    new CountDownLatch(threads));
        }
    }

    private final UromService service;
    private final PluginInfo plugin;
    private final int index;
    private final int commands;
    private final CpuSet cpus;
    private final Phases phases;

    private volatile Result result;
    private volatile Throwable failure;

    DemoWorker(UromService service, PluginInfo plugin, int index, int commands, CpuSet cpus, Phases phases) {
        this.service = service;
        this.plugin = plugin;
        this.index = index;
        this.commands = commands;
        this.cpus = cpus;
        this.phases = phases;
    }

    @Override
    public void run() {
        try (var engine = ProgressEngine.create();
                var worker = UromWorker.create(engine, service)) {
            offload(worker);
        } catch (Throwable e) {
            failure = e;
        } finally {
            phases.left.countDown();
        }
    }

    private void offload(UromWorker worker) throws InterruptedException {
        // Ids that are unique to this run, since other hosts may use the service.
        var id = WorkerId.compose((int) ProcessHandle.current().pid(), index, Integer.MAX_VALUE);
        worker.setId(id)
                .setPlugins(plugin)
                .setGroup((int) (id % 2))
                .setCpuSet(cpus)
                .setMaxTasks(1)
                .setEnvironment(Map.of(VARIABLE, WorkerId.toString(id)))
                .startAndWait(TIMEOUT);
        phases.running.countDown();
        phases.begin.await();
        try (var task = worker.commandTask(plugin)) {
            var process = WorkerProcessSearch.find(VARIABLE, WorkerId.toString(id));
            roundTrips(worker, task, Math.min(commands, WARM_UP_COMMANDS));
            result = new Result(id, process, cpus, commands, roundTrips(worker, task, commands));
        }
        phases.done.countDown();
        while (phases.leave.getCount() > 0 && worker.state() == ContextState.RUNNING) {
            worker.engine().progress();
            worker.engine().waitForEvent(Duration.ofMillis(10));
        }
    }

    private Histogram roundTrips(UromWorker worker, CommandTask task, int count) {
        var times = new Histogram(LONGEST_ROUND_TRIP_NS, 3);
        var engine = worker.engine();
        for (var i = 0; i < count; i++) {
            var value = (long) index << Integer.SIZE | i;
            var start = System.nanoTime();
            task.setPayloadLength(GraphCodec.packLoopback(value, task.payload()));
            task.submit();
            while (!task.isCompleted()) {
                engine.progress();
            }
            times.recordValue(System.nanoTime() - start);
            task.requireSuccess();
            var answer = GraphCodec.loopbackData(task.response());
            if (answer != value) {
                throw new IllegalStateException(task + " was answered with " + answer + " in place of " + value);
            }
        }
        return times;
    }

    /** Returns the result of this thread; null before its commands have completed. */
    Result result() {
        return result;
    }

    /** Returns the failure that ended this thread; null if it did not fail. */
    Throwable failure() {
        return failure;
    }
}

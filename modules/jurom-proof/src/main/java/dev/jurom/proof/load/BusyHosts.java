// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.load;

import dev.jurom.core.Device;
import dev.jurom.core.ProgressEngine;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.CommandTask;
import dev.jurom.urom.UromService;
import dev.jurom.urom.UromWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Hosts that share workers: each has a session, and a context at each of the workers, whom it gives
 * commands in turn, so and so many a second. Each host has a thread; the methods are for one other.
 */
final class BusyHosts implements CrowdPart {

    private static final Duration PATIENCE = Duration.ofSeconds(60); // for one worker
    private static final Duration ATTACHING = Duration.ofMinutes(5); // to all, on a busy machine

    private final int hosts;
    private final int workers;
    private final int rate;
    private final Ends ends = new Ends();
    private final AtomicInteger attached = new AtomicInteger();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stops;

    /** Hosts at workers 1 to {@code workers}, each with {@code rate} commands a second. */
    BusyHosts(int hosts, int workers, int rate) {
        this.hosts = hosts;
        this.workers = workers;
        this.rate = rate;
    }

    @Override
    public void gather() throws InterruptedException {
        stops = false;
        answers.set(0);
        var ready = new CountDownLatch(hosts);
        for (var i = 0; i < hosts; i++) {
            threads.add(Thread.ofPlatform().name("host").daemon().start(() -> run(ready)));
        }
        if (!ready.await(ATTACHING.toSeconds(), TimeUnit.SECONDS)) {
            ends.count("not attached within " + ATTACHING.toSeconds() + " s");
        }
    }

    private void run(CountDownLatch ready) {
        try (var engine = ProgressEngine.create();
                var device = Device.open();
                var service = UromService.create(engine, device).setMaxWorkers(Integer.highestOneBit(workers) << 1)) {
            service.start();
            var tasks = new ArrayList<CommandTask>();
            try {
                attach(service, tasks);
                ready.countDown();
                command(engine, tasks);
            } finally {
                detach(tasks);
            }
        } catch (RuntimeException e) {
            ends.count(String.valueOf(e.getMessage()));
        } finally {
            ready.countDown();
        }
    }

    private void attach(UromService service, List<CommandTask> tasks) {
        var plugin = GraphPlugin.find(service);
        for (var id = 1L; id <= workers && !stops; id++) {
            var worker = UromWorker.create(service.engine(), service)
                    .setId(id)
                    .setPlugins(plugin)
                    .setMaxTasks(1);
            try {
                worker.startAndWait(PATIENCE);
                tasks.add(worker.commandTask(plugin));
                attached.incrementAndGet();
            } catch (RuntimeException e) {
                ends.count(String.valueOf(e.getMessage()));
                worker.close();
            }
        }
    }

    private void command(ProgressEngine engine, List<CommandTask> tasks) {
        var next = System.nanoTime();
        for (var i = 0; !stops && !tasks.isEmpty(); i++) {
            var task = tasks.get(i % tasks.size());
            task.setPayloadLength(GraphCodec.packLoopback(i, task.payload()));
            task.submit();
            if (!engine.progressUntil(task::isCompleted, PATIENCE)) {
                throw new IllegalStateException("a worker did not answer within " + PATIENCE);
            }
            task.requireSuccess();
            answers.incrementAndGet();
            if (GraphCodec.loopbackData(task.response()) != i) {
                wrong.incrementAndGet();
            }
            next = Math.max(next + TimeUnit.SECONDS.toNanos(1) / rate, System.nanoTime());
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    private void detach(List<CommandTask> tasks) {
        for (var task : tasks) {
            var worker = task.worker();
            task.close();
            worker.close();
            attached.decrementAndGet();
        }
    }

    @Override
    public Standing standing() {
        return new Standing(
                hosts + " hosts at each of " + workers + " workers",
                hosts * workers,
                attached.get(),
                ends.reasons(),
                answers.get() + " commands answered, " + wrong.get() + " wrong");
    }

    @Override
    public void disperse() throws InterruptedException {
        stops = true;
        for (var thread : threads) {
            thread.join(PATIENCE.toMillis());
        }
        threads.clear();
        ends.clear();
    }
}

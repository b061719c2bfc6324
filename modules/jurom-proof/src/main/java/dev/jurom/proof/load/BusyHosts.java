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
 * Hosts that share workers. Each has a session and a context for each worker, and submits commands to the
 * workers in turn at a fixed rate. Each host has its own thread; the methods are called by one other thread.
 */
final class BusyHosts extends ClientGroup {

    private static final Duration PATIENCE = Duration.ofSeconds(60); // for one worker
    private static final Duration ATTACHING = Duration.ofMinutes(5); // to all workers, on a busy machine

    private final int hosts;
    private final int workers;
    private final int rate;
    private final AtomicInteger attached = new AtomicInteger();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stops;

    /** Creates hosts of workers 1 to {@code workers}, each submitting {@code rate} commands per second. */
    BusyHosts(int hosts, int workers, int rate) {
        super(hosts + " hosts at each of " + workers + " workers", hosts * workers);
        this.hosts = hosts;
        this.workers = workers;
        this.rate = rate;
    }

    @Override
    void connect() throws InterruptedException {
        stops = false;
        answers.set(0);
        var ready = new CountDownLatch(hosts);
        for (var i = 0; i < hosts; i++) {
            threads.add(Thread.ofPlatform().name("host").daemon().start(() -> run(ready)));
        }
        if (!ready.await(ATTACHING.toSeconds(), TimeUnit.SECONDS)) {
            count("not attached within " + ATTACHING.toSeconds() + " s");
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
                submitCommands(engine, tasks);
            } finally {
                detach(tasks);
            }
        } catch (RuntimeException e) {
            count(String.valueOf(e.getMessage()));
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
                count(String.valueOf(e.getMessage()));
                worker.close();
            }
        }
    }

    private void submitCommands(ProgressEngine engine, List<CommandTask> tasks) {
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
    int open() {
        return attached.get();
    }

    @Override
    String note() {
        return answers.get() + " commands answered, " + wrong.get() + " wrong";
    }

    @Override
    void disconnect() throws InterruptedException {
        stops = true;
        for (var thread : threads) {
            thread.join(PATIENCE.toMillis());
        }
        threads.clear();
    }
}

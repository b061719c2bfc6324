// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.Urom;
import dev.jurom.UromConfiguration;
import dev.jurom.Worker;
import dev.jurom.WorkerConfiguration;
import dev.jurom.plugin.Offload;
import dev.jurom.plugin.graph.GraphCodec;
import dev.jurom.plugin.graph.GraphPlugin;
import dev.jurom.urom.CpuSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Threads that share a {@link Urom} and make blocking calls: platform threads, each to its own worker for up to 8
 * threads, or virtual threads to one worker.
 */
final class CallersMeasurement implements Measurement {

    private static final int MAX_WORKERS = 8;
    private static final int VALUES = 127; // in the cache of Long

    private final Urom urom;
    private final List<Worker> workers = new ArrayList<>();
    private final Offload<Long, Long> loopback;
    private final ExecutorService threads;
    private final int count;

    CallersMeasurement(MeasurementOptions options) {
        count = options.threads;
        urom = Urom.open(
                UromConfiguration.builder().maxMessageSize(options.messageSize).build());
        var configuration = WorkerConfiguration.builder(GraphPlugin.NAME);
        if (options.peerCore() >= 0) {
            configuration.cpus(CpuSet.of(options.peerCore()));
        }
        for (var i = 0; i < (options.virtualThreads ? 1 : Math.min(count, MAX_WORKERS)); i++) {
            workers.add(urom.startWorkerAsync(configuration.build()).join());
        }
        var length = ExplicitHost.commandLength(options.size);
        loopback = Offload.of(
                GraphPlugin.NAME,
                GraphPlugin.VERSION,
                (value, payload) -> {
                    GraphCodec.packLoopback(value, payload);
                    return length;
                },
                GraphCodec::loopbackData);
        threads = options.virtualThreads
                ? Executors.newVirtualThreadPerTaskExecutor()
                : Executors.newFixedThreadPool(
                        count, Thread.ofPlatform().name("caller ", 0).daemon().factory());
    }

    @Override
    public long run(long[] samples, int operations) {
        var start = System.nanoTime();
        var running = new ArrayList<Future<?>>();
        for (var i = 0; i < count; i++) {
            var number = i;
            var from = (int) ((long) operations * i / count);
            var to = (int) ((long) operations * (i + 1) / count);
            running.add(threads.submit(() -> call(number, samples, from, to)));
        }
        for (var future : running) {
            try {
                future.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException("a caller failed", e);
            }
        }
        return System.nanoTime() - start;
    }

    private Void call(int number, long[] samples, int from, int to) throws InterruptedException {
        var worker = workers.get(number % workers.size());
        var last = System.nanoTime();
        for (var i = from; i < to; i++) {
            long value = i % VALUES;
            FacadeHost.requireAnswer(value, worker.call(loopback, value));
            var now = System.nanoTime();
            samples[i] = now - last;
            last = now;
        }
        return null;
    }

    @Override
    public void close() {
        threads.shutdown();
        urom.close();
    }
}

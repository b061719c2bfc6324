// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * Threads that share a service and have their own engine and worker, with several loopback commands in flight
 * each. Threads and workers are not pinned.
 */
final class ThreadsMeasurement implements Measurement {

    private final ExplicitHost host;
    private final List<HostThread> hostThreads = new ArrayList<>();
    private final List<ExecutorService> threads = new ArrayList<>();

    ThreadsMeasurement(MeasurementOptions options) {
        host = new ExplicitHost(options.messageSize, 1, -1);
        for (var i = 0; i < options.threads; i++) {
            hostThreads.add(new HostThread());
            threads.add(Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("host " + i).daemon().factory()));
        }
        inEach(i -> hostThreads.get(i).open(host, options));
    }

    private void inEach(IntConsumer action) {
        var running = new ArrayList<Future<?>>();
        for (var i = 0; i < threads.size(); i++) {
            var number = i;
            running.add(threads.get(i).submit(() -> action.accept(number)));
        }
        for (var future : running) {
            try {
                future.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException("a thread failed", e);
            }
        }
    }

    @Override
    public long run(long[] samples, int count) {
        return Measurement.stream(this::stream, count);
    }

    private void stream(int count) {
        var share = count / threads.size();
        var rest = count % threads.size();
        inEach(i -> hostThreads.get(i).stream(i < rest ? share + 1 : share));
    }

    @Override
    public void close() {
        inEach(i -> hostThreads.get(i).close());
        threads.forEach(ExecutorService::shutdown);
        host.close();
    }
}

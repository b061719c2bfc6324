// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.IdleStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Batches of loopback commands through the facade: one {@code callAll} per batch, or one future per command. A batch has
 * one command per slot, or {@code --batch} commands if these are more.
 */
final class FacadeBatchMeasurement implements Measurement {

    private static final long VALUES = 127; // in the cache of Long

    private final FacadeHost host;
    private final List<Long> values = new ArrayList<>();
    private final List<CompletableFuture<Long>> futures = new ArrayList<>();
    private final boolean withFutures;

    FacadeBatchMeasurement(MeasurementOptions options, boolean withFutures) {
        host = new FacadeHost(
                IdleStrategy.SPIN_THEN_WAIT, options.messageSize, options.depth, options.size, options.peerCore());
        for (var i = 0; i < Math.max(options.depth, options.batch); i++) {
            values.add(i % VALUES);
        }
        this.withFutures = withFutures;
    }

    @Override
    public long run(long[] samples, int count) {
        return Measurement.stream(this::stream, count);
    }

    private void stream(int count) {
        for (var done = 0; done < count; done += values.size()) {
            var batch = values.subList(0, Math.min(values.size(), count - done));
            if (withFutures) {
                submit(batch);
            } else {
                call(batch);
            }
        }
    }

    private void call(List<Long> batch) {
        try {
            var answers = host.worker().callAll(host.loopback(), batch);
            for (var i = 0; i < batch.size(); i++) {
                FacadeHost.requireAnswer(batch.get(i), answers.get(i));
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("a measurement was interrupted", e);
        }
    }

    private void submit(List<Long> batch) {
        for (var value : batch) {
            futures.add(host.worker().submit(host.loopback(), value));
        }
        for (var i = 0; i < batch.size(); i++) {
            FacadeHost.requireAnswer(batch.get(i), futures.get(i).join());
        }
        futures.clear();
    }

    @Override
    public void close() {
        host.close();
    }
}

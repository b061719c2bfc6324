// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.IdleStrategy;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Loopback commands through the facade, each with a future whose callback on the completion executor permits the next
 * command. One thread submits all of them.
 */
final class FacadeCallbacksMeasurement implements Measurement {

    private static final long VALUES = 127; // in the cache of Long

    private final FacadeHost host;
    private final int depth;
    private final Semaphore permits; // one for each command that may be submitted
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    FacadeCallbacksMeasurement(MeasurementOptions options) {
        host = new FacadeHost(
                IdleStrategy.SPIN_THEN_WAIT, options.messageSize, options.depth, options.size, options.peerCore());
        depth = options.depth;
        permits = new Semaphore(depth);
    }

    @Override
    public long run(long[] samples, int count) {
        return Measurement.stream(this::stream, count);
    }

    private void stream(int count) {
        for (var i = 0; i < count; i++) {
            long value = i % VALUES;
            permits.acquireUninterruptibly();
            host.worker()
                    .submit(host.loopback(), value)
                    .whenComplete((answer, thrown) -> complete(value, answer, thrown));
        }
        permits.acquireUninterruptibly(depth);
        permits.release(depth);
        if (failure.get() != null) {
            throw new IllegalStateException("a command failed", failure.get());
        }
    }

    private void complete(long value, Long answer, Throwable thrown) {
        try {
            if (thrown != null) {
                throw thrown;
            }
            FacadeHost.requireAnswer(value, answer);
        } catch (Throwable e) {
            failure.set(e);
        } finally {
            permits.release();
        }
    }

    @Override
    public void close() {
        host.close();
    }
}

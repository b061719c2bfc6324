// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.IdleStrategy;

/** Blocking calls of loopback commands through the facade, in which the caller drives the engine. */
final class FacadeMeasurement implements Measurement {

    private static final int VALUES = 127; // in the cache of Long

    private final FacadeHost host;
    private long called;

    FacadeMeasurement(MeasurementOptions options) {
        host = new FacadeHost(IdleStrategy.SPIN_THEN_WAIT, options.messageSize, 1, options.size, options.peerCore());
    }

    @Override
    public long run(long[] samples, int count) {
        return Measurement.each(this::call, samples, count);
    }

    private void call() {
        var value = ++called % VALUES;
        try {
            FacadeHost.requireAnswer(value, host.worker().call(host.loopback(), value));
        } catch (InterruptedException e) {
            throw new IllegalStateException("a measurement was interrupted", e);
        }
    }

    @Override
    public void close() {
        host.close();
    }
}

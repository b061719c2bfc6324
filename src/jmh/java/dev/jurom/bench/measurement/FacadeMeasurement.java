// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.IdleStrategy;

/** Blocking calls of loopback commands through the facade, or through a pool, in which the caller drives the engine. */
final class FacadeMeasurement implements Measurement {

    private static final int VALUES = 127; // in the cache of Long

    private final FacadeHost host;
    private final Call call;
    private long called;

    /** A blocking call of a loopback command. */
    @FunctionalInterface
    private interface Call {

        long apply(long value) throws InterruptedException;
    }

    FacadeMeasurement(MeasurementOptions options, boolean isPool) throws InterruptedException {
        host = new FacadeHost(IdleStrategy.SPIN_THEN_WAIT, options.messageSize, 1, options.size, options.peerCore());
        var loopback = host.loopback();
        if (isPool) {
            var pool = host.replaceWorkerWithPool();
            call = value -> pool.call(loopback, value);
        } else {
            var worker = host.worker();
            call = value -> worker.call(loopback, value);
        }
    }

    @Override
    public void change(String what, int value) {
        host.changeSize(value);
    }

    @Override
    public long run(long[] samples, int count) {
        return Measurement.each(this::call, samples, count);
    }

    private void call() {
        var value = ++called % VALUES;
        try {
            FacadeHost.requireAnswer(value, call.apply(value));
        } catch (InterruptedException e) {
            throw new IllegalStateException("a measurement was interrupted", e);
        }
    }

    @Override
    public void close() {
        host.close();
    }
}

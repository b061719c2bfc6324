// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

/** The time from the start of a worker context to the state RUNNING, without the stop. */
final class SpawnMeasurement implements Measurement {

    private final ExplicitHost host;

    SpawnMeasurement(MeasurementOptions options) {
        host = new ExplicitHost(options.messageSize, 1, -1);
    }

    @Override
    public long run(long[] samples, int count) {
        var total = 0L;
        for (var i = 0; i < count; i++) {
            samples[i] = start();
            total += samples[i];
        }
        return total;
    }

    private long start() {
        var start = System.nanoTime();
        try (var worker = host.startWorker(1)) {
            var elapsed = System.nanoTime() - start;
            worker.stopAndWait(ExplicitHost.DEADLINE);
            return elapsed;
        }
    }

    @Override
    public void close() {
        host.close();
    }
}

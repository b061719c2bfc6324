// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

/** Round trips of UCX active messages between two JVMs, as a lower bound for UROM in Java. */
final class UcxMeasurement implements Measurement {

    private final Peer peer;
    private final UcxSide side;

    UcxMeasurement(MeasurementOptions options) {
        peer = Peer.start("ucx", options);
        side = new UcxSide(options.size);
        side.connect(peer.read());
        peer.write(side.address());
    }

    @Override
    public void begin(int warmUp, int count) {
        peer.begin(warmUp + count);
    }

    @Override
    public long run(long[] samples, int count) {
        return Measurement.each(this::roundTrip, samples, count);
    }

    private void roundTrip() {
        side.send();
        side.await();
    }

    @Override
    public void close() {
        side.close();
        peer.close();
    }
}

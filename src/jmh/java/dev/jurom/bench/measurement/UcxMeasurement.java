// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

/** UCX active messages back and forth between two JVMs: what UROM costs above it, in Java too. */
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

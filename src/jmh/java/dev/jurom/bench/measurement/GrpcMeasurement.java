// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

/** Unary calls of gRPC-java: what a Java user would pick instead. */
final class GrpcMeasurement implements Measurement {

    private final GrpcClient client;

    GrpcMeasurement(MeasurementOptions options) {
        client = new GrpcClient(options);
    }

    @Override
    public long run(long[] samples, int count) {
        return Measurement.each(client::call, samples, count);
    }

    @Override
    public void close() {
        client.close();
    }
}

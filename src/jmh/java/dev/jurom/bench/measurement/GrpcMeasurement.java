// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.Semaphore;

/** Unary calls of gRPC-java, the usual alternative in Java, one at a time or several in flight. */
final class GrpcMeasurement implements Measurement {

    private final GrpcClient client;
    private final boolean oneByOne;
    private int depth;

    GrpcMeasurement(GrpcClient client, MeasurementOptions options) {
        this.client = client;
        oneByOne = options.depth == 1;
        depth = options.depth;
    }

    @Override
    public void change(String what, int value) {
        if (what.equals("size")) {
            client.setSize(value);
        } else {
            depth = value;
        }
    }

    @Override
    public long run(long[] samples, int count) {
        return oneByOne ? Measurement.each(client::call, samples, count) : Measurement.stream(this::stream, count);
    }

    private void stream(int count) {
        var free = new Semaphore(depth);
        for (var i = 0; i < count; i++) {
            free.acquireUninterruptibly();
            client.call(new Arrival(free));
        }
        free.acquireUninterruptibly(depth);
    }

    /** The completion of a call. */
    private record Arrival(Semaphore free) implements StreamObserver<byte[]> {

        @Override
        public void onNext(byte[] answer) {
            // onCompleted follows
        }

        @Override
        public void onError(Throwable failure) {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        }

        @Override
        public void onCompleted() {
            free.release();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.Semaphore;

/** Unary calls of gRPC-java at a fixed rate. */
final class PacedGrpc implements PacedSender {

    private final GrpcClient client;
    private final Semaphore free;
    private final Answers answers;

    PacedGrpc(MeasurementOptions options, Answers answers) {
        this.answers = answers;
        client = GrpcClient.ofPeer(options);
        free = new Semaphore(options.depth);
    }

    @Override
    public boolean trySend(long dueNanos) {
        if (!free.tryAcquire()) {
            return false;
        }
        client.call(new Arrival(dueNanos));
        return true;
    }

    /** The completion of a call. */
    private final class Arrival implements StreamObserver<byte[]> {

        private final long due;

        Arrival(long due) {
            this.due = due;
        }

        @Override
        public void onNext(byte[] answer) {
            answers.arrived(due);
            free.release();
        }

        @Override
        public void onError(Throwable failure) {
            failure.printStackTrace();
        }

        @Override
        public void onCompleted() {
            // the answer was received
        }
    }

    /** Yields to the threads of the channel. */
    @Override
    public void poll() {
        Thread.yield();
    }

    @Override
    public void close() {
        client.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;

/** Calls the service of {@link GrpcEcho} in a peer, over loopback. */
final class GrpcClient implements AutoCloseable {

    private final Peer peer;
    private final ManagedChannel channel;
    private final byte[] message;

    GrpcClient(MeasurementOptions options) {
        peer = Peer.start("grpc", options);
        channel = NettyChannelBuilder.forAddress("127.0.0.1", Integer.parseInt(peer.read()))
                .usePlaintext().directExecutor().build();
        message = new byte[options.size];
        Arrays.fill(message, Measurement.FILLING);
    }

    /** Calls, and waits for the answer. */
    void call() {
        var answer = ClientCalls.blockingUnaryCall(channel, GrpcEcho.METHOD, CallOptions.DEFAULT,
                message);
        if (answer.length != message.length) {
            throw new IllegalStateException("The echo has another length");
        }
    }

    /** Calls; the observer hears of the answer, on a thread of the channel. */
    void call(StreamObserver<byte[]> observer) {
        ClientCalls.asyncUnaryCall(channel.newCall(GrpcEcho.METHOD, CallOptions.DEFAULT), message,
                observer);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        peer.close();
    }
}

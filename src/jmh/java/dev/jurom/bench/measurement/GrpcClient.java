// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.util.Arrays;

/** A client of {@link GrpcEcho}. */
final class GrpcClient implements AutoCloseable {

    private final ManagedChannel channel;
    private final Runnable onClose;
    private byte[] message;

    private GrpcClient(ManagedChannel channel, int size, Runnable onClose) {
        this.channel = channel;
        this.onClose = onClose;
        setSize(size);
    }

    /** Connects to a peer process over TCP or a Unix domain socket. */
    static GrpcClient ofPeer(MeasurementOptions options) {
        var peer = Peer.start("grpc", options);
        var address = peer.read();
        if (!options.unixSocket) {
            var channel = NettyChannelBuilder.forAddress("127.0.0.1", Integer.parseInt(address));
            return new GrpcClient(open(channel), options.size, peer::close);
        }
        var loop = new EpollEventLoopGroup(1);
        var channel = NettyChannelBuilder.forAddress(new DomainSocketAddress(address))
                .eventLoopGroup(loop)
                .channelType(EpollDomainSocketChannel.class);
        return new GrpcClient(open(channel), options.size, () -> close(loop, peer));
    }

    private static ManagedChannel open(NettyChannelBuilder channel) {
        return channel.maxInboundMessageSize(GrpcEcho.MAX_MESSAGE)
                .usePlaintext()
                .directExecutor()
                .build();
    }

    private static void close(EventLoopGroup loop, Peer peer) {
        loop.shutdownGracefully();
        peer.close();
    }

    /** Connects to a server in this process, without a transport. */
    static GrpcClient ofThisProcess(MeasurementOptions options) {
        var server = GrpcEcho.startInside();
        return new GrpcClient(
                InProcessChannelBuilder.forName(GrpcEcho.INSIDE)
                        .directExecutor()
                        .build(),
                options.size,
                server::shutdownNow);
    }

    /** Sets the message size of later calls in bytes. */
    void setSize(int size) {
        message = new byte[size];
        Arrays.fill(message, Measurement.FILLING);
    }

    /** Makes a blocking call. */
    void call() {
        var answer = ClientCalls.blockingUnaryCall(channel, GrpcEcho.METHOD, CallOptions.DEFAULT, message);
        if (answer.length != message.length) {
            throw new IllegalStateException("the echo has a different length");
        }
    }

    /** Makes an asynchronous call; the observer is called on a thread of the channel. */
    void call(StreamObserver<byte[]> observer) {
        ClientCalls.asyncUnaryCall(channel.newCall(GrpcEcho.METHOD, CallOptions.DEFAULT), message, observer);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        onClose.run();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.unix.DomainSocketAddress;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** A gRPC service with one unary method that returns its request. */
final class GrpcEcho {

    static final int MAX_MESSAGE = 1 << 24;

    /** The name of the in-process server. */
    static final String INSIDE = "echo";

    static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("jurom.Bench/Echo")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private GrpcEcho() {}

    /** Serves calls in a peer process until it exits; prints the port or the path of the socket. */
    static void serve(MeasurementOptions options) throws IOException, InterruptedException {
        if (options.unixSocket) {
            serveUnix(Files.createTempDirectory("jurom-bench").resolve("grpc"));
        } else {
            var server = start(NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                    .maxInboundMessageSize(MAX_MESSAGE));
            System.out.println(server.getPort());
            server.awaitTermination();
        }
    }

    private static void serveUnix(Path path) throws IOException, InterruptedException {
        path.toFile().deleteOnExit();
        path.getParent().toFile().deleteOnExit();
        var loop = new EpollEventLoopGroup(1);
        var server = start(NettyServerBuilder.forAddress(new DomainSocketAddress(path.toFile()))
                .channelType(EpollServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .maxInboundMessageSize(MAX_MESSAGE));
        System.out.println(path);
        server.awaitTermination();
    }

    /** Starts an in-process server. */
    static Server startInside() {
        try {
            return start(InProcessServerBuilder.forName(INSIDE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Server start(ServerBuilder<?> server) throws IOException {
        return server.directExecutor()
                .addService(ServerServiceDefinition.builder("jurom.Bench")
                        .addMethod(METHOD, ServerCalls.asyncUnaryCall((request, answer) -> {
                            answer.onNext(request);
                            answer.onCompleted();
                        }))
                        .build())
                .build()
                .start();
    }

    /** Passes bytes unchanged. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

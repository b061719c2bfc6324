// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/** A gRPC service with one unary method, whose answer is its request: bytes as they are. */
final class GrpcEcho {

    static final MethodDescriptor<byte[], byte[]> METHOD =
            MethodDescriptor.<byte[], byte[]>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName("jurom.Bench/Echo")
                    .setRequestMarshaller(new Bytes())
                    .setResponseMarshaller(new Bytes())
                    .build();

    private GrpcEcho() {
    }

    /** Serves calls in a peer, for life; says the port. */
    static void serve() throws IOException, InterruptedException {
        var service = ServerServiceDefinition.builder("jurom.Bench")
                .addMethod(METHOD, ServerCalls.asyncUnaryCall((request, answer) -> {
                    answer.onNext(request);
                    answer.onCompleted();
                }))
                .build();
        var server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .directExecutor().addService(service).build().start();
        System.out.println(server.getPort());
        server.awaitTermination();
    }

    /** Bytes as they are. */
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

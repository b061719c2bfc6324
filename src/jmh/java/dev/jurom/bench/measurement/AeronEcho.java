// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One side of two Aeron IPC streams, one per direction, through the media driver of the measuring process.
 * Both sides spin.
 */
final class AeronEcho implements AutoCloseable {

    static final int REQUESTS = 1;
    static final int ANSWERS = 2;

    private static final String CHANNEL = "aeron:ipc";
    private static final int FRAGMENTS = 16; // maximum per poll if several may arrive

    private final Aeron aeron;
    private final Publication publication;
    private final Subscription subscription;
    private final UnsafeBuffer message;
    private final FragmentHandler handler;
    private final int fragments; // maximum per poll; polling for another one costs a cache line
    private int length; // of the latest message
    private long received;
    private long awaited;

    AeronEcho(String directory, MeasurementOptions options, int outgoing, int incoming) {
        var size = options.size;
        fragments = options.depth == 1 ? 1 : FRAGMENTS;
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
        publication = aeron.addExclusivePublication(CHANNEL, outgoing);
        subscription = aeron.addSubscription(CHANNEL, incoming);
        message = new UnsafeBuffer(java.nio.ByteBuffer.allocateDirect(size));
        message.setMemory(0, size, Measurement.FILLING);
        handler = size <= publication.maxPayloadLength() ? this::arrived : new FragmentAssembler(this::arrived);
    }

    private void arrived(DirectBuffer buffer, int offset, int bytes, Header header) {
        length = bytes;
        received++;
    }

    /** Answers rounds in the peer process. */
    static void serve(MeasurementOptions options) {
        var echo = new AeronEcho(PeerMain.read(), options, ANSWERS, REQUESTS);
        System.out.println("connected");
        while (true) {
            for (var left = PeerMain.readCount(); left > 0; left--) {
                echo.await();
                echo.send(echo.length);
            }
        }
    }

    void send(int bytes) {
        while (publication.offer(message, 0, bytes) < 0) {
            Thread.onSpinWait();
        }
    }

    /** Waits for the next message. */
    void await() {
        awaited++;
        while (received < awaited) {
            if (subscription.poll(handler, fragments) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() {
        aeron.close();
    }
}

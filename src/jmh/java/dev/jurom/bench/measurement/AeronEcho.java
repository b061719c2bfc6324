// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One side of two Aeron IPC streams, one each way, through the media driver of the measuring side.
 * Both sides spin.
 */
final class AeronEcho implements AutoCloseable {

    static final int REQUESTS = 1;
    static final int ANSWERS = 2;

    private static final String CHANNEL = "aeron:ipc";

    private final Aeron aeron;
    private final Publication publication;
    private final Subscription subscription;
    private final UnsafeBuffer message;
    private final FragmentHandler handler = (buffer, offset, length, header) -> this.received++;
    private long received;
    private long awaited;

    AeronEcho(String directory, int size, int outgoing, int incoming) {
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
        publication = aeron.addExclusivePublication(CHANNEL, outgoing);
        subscription = aeron.addSubscription(CHANNEL, incoming);
        message = new UnsafeBuffer(java.nio.ByteBuffer.allocateDirect(size));
        message.setMemory(0, size, Measurement.FILLING);
    }

    /** Answers rounds, in a peer. */
    static void serve(MeasurementOptions options) {
        var echo = new AeronEcho(PeerMain.read(), options.size, ANSWERS, REQUESTS);
        System.out.println("connected");
        while (true) {
            for (var left = PeerMain.readCount(); left > 0; left--) {
                echo.await();
                echo.send();
            }
        }
    }

    void send() {
        while (publication.offer(message) < 0) {
            Thread.onSpinWait();
        }
    }

    /** Waits for the next message. */
    void await() {
        awaited++;
        while (received < awaited) {
            if (subscription.poll(handler, 1) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() {
        aeron.close();
    }
}

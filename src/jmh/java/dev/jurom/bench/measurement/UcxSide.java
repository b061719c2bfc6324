// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.measurement;

import dev.jurom.ucx.ActiveMessage;
import dev.jurom.ucx.UcxContext;
import dev.jurom.ucx.UcxEndpoint;
import dev.jurom.ucx.UcxFeature;
import dev.jurom.ucx.UcxTransports;
import dev.jurom.ucx.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Set;

/** One side of a UCX connection that exchanges active messages of one size. */
final class UcxSide implements AutoCloseable {

    private static final int MESSAGE = 1;

    private final Arena arena = Arena.ofConfined();
    private final UcxContext context;
    private final UcxWorker worker;
    private final MemorySegment message;
    private UcxEndpoint endpoint;
    private long received;
    private long awaited;

    UcxSide(int size) {
        message = arena.allocate(size).fill(Measurement.FILLING);
        context = UcxContext.open(Set.of(UcxFeature.ACTIVE_MESSAGES), UcxTransports.settings());
        worker = context.createWorker();
        worker.handle(MESSAGE, this::received);
    }

    /** Answers rounds in the peer process. */
    static void serve(MeasurementOptions options) {
        var side = new UcxSide(options.size);
        System.out.println(side.address());
        side.connect(PeerMain.read());
        while (true) {
            side.answer(PeerMain.readCount());
        }
    }

    String address() {
        return HexFormat.of().formatHex(worker.address());
    }

    void connect(String address) {
        endpoint = worker.connect(HexFormat.of().parseHex(address));
    }

    private void received(ActiveMessage ignored) {
        received++;
    }

    private void answer(int count) {
        for (var i = 0; i < count; i++) {
            await();
            send();
        }
        var flushed = endpoint.flush();
        while (!flushed.isDone()) {
            worker.progress();
        }
    }

    void send() {
        endpoint.send(MESSAGE, MemorySegment.NULL, message, 0);
    }

    /** Waits for the next message. */
    void await() {
        awaited++;
        while (received < awaited) {
            worker.progress();
        }
    }

    @Override
    public void close() {
        var closed = endpoint.disconnect();
        while (!closed.isDone()) {
            worker.progress();
        }
        worker.close();
        context.close();
        arena.close();
    }
}

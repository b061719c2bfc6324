// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.fixture.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Two workers connected to each other through shared memory and progressed by the thread of the test.
 */
final class UcxPair implements AutoCloseable {

    static final Map<String, String> SHARED_MEMORY = Map.of("TLS", UcxTransports.onThisMachine());

    final UcxContext context;
    final UcxWorker client;
    final UcxWorker server;
    final UcxEndpoint toServer;
    final UcxEndpoint toClient;
    private final Arena arena = Arena.ofConfined();

    UcxPair() {
        context = UcxContext.open(EnumSet.allOf(UcxFeature.class), SHARED_MEMORY);
        client = context.createWorker();
        server = context.createWorker();
        toServer = client.connect(server.address());
        toClient = server.connect(client.address());
    }

    /** Copies bytes and sends them to the server. */
    UcxRequest send(int id, byte[] data, int flags) {
        return toServer.send(id, MemorySegment.NULL, arena.allocateFrom(ValueLayout.JAVA_BYTE, data), flags);
    }

    /** Progresses both workers until a condition holds. */
    void await(String what, BooleanSupplier condition) {
        Waiting.until(what, () -> {
            progress();
            return condition.getAsBoolean();
        });
    }

    void progress() {
        client.progress();
        server.progress();
    }

    /** Waits until a request completes successfully. */
    void await(UcxRequest request) {
        await("the request is done", request::isDone);
        UcxStatus.require("The request failed", request.status());
    }

    /** Closes endpoints and waits until they are closed. */
    void abort(UcxEndpoint... endpoints) {
        var requests = new ArrayList<UcxRequest>();
        List.of(endpoints).forEach(endpoint -> requests.add(endpoint.abort()));
        await("endpoints are closed", () -> requests.stream().allMatch(UcxRequest::isDone));
    }

    @Override
    public void close() {
        abort(toServer, toClient);
        client.close();
        server.close();
        context.close();
        arena.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.runtime.DocaRuntime;
import dev.jurom.testing.Waiting;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Two workers that are connected through a listener over tcp, and progressed together by the test's
 * thread.
 */
final class UcxPair implements AutoCloseable {

    static final Map<String, String> TCP = Map.of("TLS", "tcp");

    final UcxContext context;
    final UcxWorker client;
    final UcxWorker server;
    final UcxListener listener;
    final UcxEndpoint toServer;
    UcxEndpoint toClient;
    /** Why the client's connection failed, if it did. */
    Integer clientFailure;
    /** Why the server's connection failed, if it did. */
    Integer serverFailure;

    UcxPair() {
        DocaRuntime.current();
        context = UcxContext.open(EnumSet.allOf(UcxFeature.class), TCP);
        client = context.createWorker();
        server = context.createWorker();
        listener = server.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                request -> toClient = request.accept((endpoint, status) -> serverFailure = status));
        toServer = client.connect(listener.address(),
                (endpoint, status) -> clientFailure = status);
        await("the connection is accepted", () -> toClient != null);
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

    /** Waits until a request has succeeded. */
    void await(UcxRequest request) {
        await("the request is done", request::isDone);
        UcxStatus.require("The request failed", request.status());
    }

    /** Closes endpoints and waits until that is done. */
    void abort(UcxEndpoint... endpoints) {
        var requests = new ArrayList<UcxRequest>();
        List.of(endpoints).forEach(endpoint -> requests.add(endpoint.abort()));
        await("endpoints are closed", () -> requests.stream().allMatch(UcxRequest::isDone));
    }

    @Override
    public void close() {
        abort(toServer, toClient);
        listener.close();
        client.close();
        server.close();
        context.close();
    }
}

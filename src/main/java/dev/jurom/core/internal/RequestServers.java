// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * The request servers of a progress engine, empty unless a context starts or stops that records
 * requests. Not thread-safe. While a server works, others may be added.
 */
public final class RequestServers {

    private final List<RequestServer> servers = new ArrayList<>();

    /** Makes an empty list. */
    public RequestServers() {}

    /**
     * Adds a server until it is over. No effect if the list has it.
     *
     * @param server what serves requests
     */
    public void add(RequestServer server) {
        if (!servers.contains(server)) {
            servers.add(server);
        }
    }

    /**
     * Whether there is nothing to serve.
     *
     * @return true if the list is empty
     */
    public boolean isEmpty() {
        return servers.isEmpty();
    }

    /**
     * Has every server take its request, and removes servers that are over.
     *
     * @return whether the other steps are to follow
     */
    public boolean take() {
        servers.removeIf(RequestServer::isOver);
        var taken = false;
        for (var server : servers) {
            taken |= server.take();
        }
        return taken;
    }

    /** Has every server run the program's code. */
    public void work() {
        for (var i = 0; i < servers.size(); i++) { // the code may add servers
            servers.get(i).work();
        }
    }

    /**
     * Has every server answer its request.
     *
     * @return whether a request was answered
     */
    public boolean answer() {
        var answered = false;
        for (var server : servers) {
            answered |= server.answer();
        }
        return answered;
    }

    /**
     * Takes the three steps.
     *
     * @return whether a request was answered
     */
    public boolean serve() {
        if (!take()) {
            return false;
        }
        work();
        return answer();
    }
}

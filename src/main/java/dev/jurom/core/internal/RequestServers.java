// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * The request servers of a progress engine. A context that records requests adds its server while
 * it starts or stops. Not thread-safe; servers may be added while another one works.
 */
public final class RequestServers {

    private final List<RequestServer> servers = new ArrayList<>();

    /** Creates an empty list. */
    public RequestServers() {}

    /**
     * Adds a server, which is removed when it is over. Has no effect if it is already in the list.
     *
     * @param server the server
     */
    public void add(RequestServer server) {
        if (!servers.contains(server)) {
            servers.add(server);
        }
    }

    /**
     * Returns whether the list is empty.
     *
     * @return true if there is no server
     */
    public boolean isEmpty() {
        return servers.isEmpty();
    }

    /**
     * Takes the requests of all servers, and removes servers that are over.
     *
     * @return whether to call the other steps
     */
    public boolean take() {
        servers.removeIf(RequestServer::isOver);
        var taken = false;
        for (var server : servers) {
            taken |= server.take();
        }
        return taken;
    }

    /** Runs the code of the application for all servers. */
    public void work() {
        for (var i = 0; i < servers.size(); i++) { // the application may add servers
            servers.get(i).work();
        }
    }

    /**
     * Answers the requests of all servers.
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
     * Calls the three steps.
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

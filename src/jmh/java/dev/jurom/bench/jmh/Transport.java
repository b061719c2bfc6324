// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.jmh;

import java.util.Map;

/** What carries commands between a host and its worker. */
public enum Transport {

    /** What UCX picks on one machine. */
    SHARED_MEMORY(Map.of()),
    /** Sockets over loopback. */
    TCP(Map.of("UCX_TLS", "tcp"));

    private final Map<String, String> environment;

    Transport(Map<String, String> environment) {
        this.environment = environment;
    }

    /** What UCX must find in the environment. */
    Map<String, String> environment() {
        return environment;
    }
}

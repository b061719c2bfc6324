// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import java.time.Duration;

/**
 * How long the service waits for others.
 *
 * @param device for the network device at whose address it listens to be up
 * @param handshake for a host to prove who it is
 * @param ending for a last answer to leave before its connection is closed
 * @param probe for a plugin to be loaded and asked its version
 * @param start for a worker to be ready; longer than it takes on a busy machine
 * @param leave for a worker to leave before it is killed
 */
record Deadlines(Duration device, Duration handshake, Duration ending, Duration probe,
        Duration start, Duration leave) {

    static final Deadlines DEFAULT = new Deadlines(Duration.ofSeconds(10), Duration.ofSeconds(5),
            Duration.ofMillis(500), Duration.ofSeconds(10), Duration.ofSeconds(15),
            Duration.ofSeconds(3));
}

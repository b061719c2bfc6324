// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import java.time.Duration;
import java.util.Optional;

/**
 * What is asked for when a service is to be connected to.
 *
 * @param device whose service: a PCI address or a name; without: the first device's
 * @param maxMessageSize bytes of the largest message, headers included
 * @param maxWorkers how many workers there can be: a power of two
 * @param spinNanos how long who drives the engine and finds nothing goes on looking before it
 *        sleeps, from 0 to {@link Long#MAX_VALUE}
 * @param callTimeout how long a command may take that has no time of its own; without: as long as
 *        it takes
 */
public record ServiceRequest(Optional<String> device, int maxMessageSize, int maxWorkers,
        long spinNanos, Optional<Duration> callTimeout) {
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.internal;

import dev.jurom.plugin.HostRegion;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What is asked for when a domain is to start.
 *
 * @param exchange how the participants reach each other
 * @param workers this participant's, at least one, by their ids in the domain
 * @param regions memory that all workers of the domain learn of, in this order
 * @param timeout how long the start may take
 */
public record DomainRequest(OutOfBandExchange exchange, Map<Long, DrivenWorker> workers,
        List<HostRegion> regions, Duration timeout) {
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.internal.ServiceRequest;
import dev.jurom.urom.UromService;
import java.util.Objects;
import java.util.Optional;

/**
 * What an {@link Urom} is like.
 *
 * @param device the device whose service is used: a PCI address or a name; without: the first one
 * @param idleStrategy what whoever drives the engine does when there is nothing to do
 * @param maxMessageSize bytes of the largest message, headers included; the same as the service's
 * @param maxWorkers how many workers there can be: a power of two
 */
public record UromConfiguration(Optional<String> device, IdleStrategy idleStrategy,
        int maxMessageSize, int maxWorkers) {

    private static final int DEFAULT_MAX_WORKERS = 64;

    /** The first device, {@link IdleStrategy#SPIN_THEN_WAIT}, 4096 bytes a message, 64 workers. */
    public static final UromConfiguration DEFAULT = new UromConfiguration(Optional.empty(),
            IdleStrategy.SPIN_THEN_WAIT, UromService.DEFAULT_MAX_MESSAGE_SIZE, DEFAULT_MAX_WORKERS);

    /** Makes a configuration. */
    public UromConfiguration {
        Objects.requireNonNull(device);
        Objects.requireNonNull(idleStrategy);
    }

    /**
     * This configuration, with a device.
     *
     * @param name a PCI address or a name
     * @return a new configuration
     */
    public UromConfiguration withDevice(String name) {
        return new UromConfiguration(Optional.of(name), idleStrategy, maxMessageSize, maxWorkers);
    }

    /**
     * This configuration, with another idle strategy.
     *
     * @param strategy what to do when there is nothing to do
     * @return a new configuration
     */
    public UromConfiguration withIdleStrategy(IdleStrategy strategy) {
        return new UromConfiguration(device, strategy, maxMessageSize, maxWorkers);
    }

    /**
     * This configuration, with another maximum message size; an embedded service gets it too.
     *
     * @param bytes headers included
     * @return a new configuration
     */
    public UromConfiguration withMaxMessageSize(int bytes) {
        return new UromConfiguration(device, idleStrategy, bytes, maxWorkers);
    }

    /**
     * This configuration, with another number of workers.
     *
     * @param workers a power of two
     * @return a new configuration
     */
    public UromConfiguration withMaxWorkers(int workers) {
        return new UromConfiguration(device, idleStrategy, maxMessageSize, workers);
    }

    ServiceRequest request() {
        return new ServiceRequest(device, maxMessageSize, maxWorkers, idleStrategy.spinNanos());
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.internal.Timeout;
import dev.jurom.plugin.HostRegion;
import dev.jurom.urom.exchange.OutOfBandExchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The configuration of a {@link Domain}, created with a {@link #builder}. Instances are immutable. */
public final class DomainConfiguration {

    /** The default maximum duration of a start: 60 seconds. */
    public static final Duration DEFAULT_START_TIMEOUT = Duration.ofSeconds(60);

    private final OutOfBandExchange exchange;
    private final Map<Long, Worker> workers;
    private final List<HostRegion> regions;
    private final Duration startTimeout;

    private DomainConfiguration(Builder builder) {
        exchange = builder.exchange;
        workers = Collections.unmodifiableMap(new LinkedHashMap<>(builder.workers));
        regions = List.copyOf(builder.regions);
        startTimeout = builder.startTimeout;
    }

    /**
     * Returns a builder.
     *
     * @param exchange the exchange with the other participants. The caller closes it after the domain,
     *        and does not use it otherwise before
     * @return a builder without workers
     */
    public static Builder builder(OutOfBandExchange exchange) {
        return new Builder(exchange);
    }

    /**
     * Returns a builder that is initialized with this configuration.
     *
     * @return a builder with all settings of this configuration
     */
    public Builder toBuilder() {
        var builder = new Builder(exchange);
        builder.workers.putAll(workers);
        builder.regions.addAll(regions);
        builder.startTimeout = startTimeout;
        return builder;
    }

    /**
     * Returns the exchange with the other participants.
     *
     * @return the exchange, which the domain does not close
     */
    public OutOfBandExchange exchange() {
        return exchange;
    }

    /**
     * Returns this participant's workers.
     *
     * @return the workers by their ids in the domain
     */
    public Map<Long, Worker> workers() {
        return workers;
    }

    /**
     * Returns the memory of this process that all workers of the domain can access.
     *
     * @return the regions in the order of their numbers, from 0
     */
    public List<HostRegion> regions() {
        return regions;
    }

    /**
     * Returns the maximum duration of the start.
     *
     * @return a positive duration
     */
    public Duration startTimeout() {
        return startTimeout;
    }

    private List<Object> values() {
        return List.of(exchange, workers, regions, startTimeout);
    }

    /**
     * Compares this configuration with another.
     *
     * @param other any object
     * @return true if it is a configuration with the same settings
     */
    @Override
    @SuppressWarnings("exports") // the annotation is for compilers
    public boolean equals(@Nullable Object other) {
        return other instanceof DomainConfiguration that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "DomainConfiguration[exchange=" + exchange
                + ", workers=" + workers
                + ", regions=" + regions.size()
                + ", startTimeout=" + Timeout.text(startTimeout) + "]";
    }

    /** Builds configurations. Not thread-safe. */
    public static final class Builder {

        private final OutOfBandExchange exchange;
        private final Map<Long, Worker> workers = new LinkedHashMap<>();
        private final List<HostRegion> regions = new ArrayList<>();
        private Duration startTimeout = DEFAULT_START_TIMEOUT;

        private Builder(OutOfBandExchange exchange) {
            this.exchange = Objects.requireNonNull(exchange);
        }

        /**
         * Adds a worker with the next id of this participant. The first worker gets the participant's
         * index, and each next one an id that is higher by the number of participants, so that the ids
         * are unique if all participants call this method.
         *
         * @param worker a running worker
         * @return this
         */
        public Builder worker(Worker worker) {
            return worker(exchange.index() + (long) workers.size() * exchange.participants(), worker);
        }

        /**
         * Adds a worker with an id.
         *
         * @param id an unsigned 64-bit number that is unique in the domain
         * @param worker a running worker
         * @return this
         * @throws IllegalArgumentException if another worker of this participant has the id, or this
         *         worker was added already
         */
        public Builder worker(long id, Worker worker) {
            Objects.requireNonNull(worker);
            if (workers.containsKey(id) || workers.containsValue(worker)) {
                throw new IllegalArgumentException(worker + " cannot have the domain id " + Long.toUnsignedString(id)
                        + ": the configuration already contains " + workers);
            }
            workers.put(id, worker);
            return this;
        }

        /**
         * Shares memory with all workers of the domain, which address it by its number. All
         * participants must share the same number of regions. Stands for
         * {@code doca_urom_domain_add_buffer}.
         *
         * @param region the memory, which the caller closes after the domain
         * @return this
         */
        public Builder region(HostRegion region) {
            regions.add(region);
            return this;
        }

        /**
         * Sets the maximum duration of the start, which fails if a participant is missing then.
         *
         * @param timeout a positive duration
         * @return this
         * @throws IllegalArgumentException if it is zero or less
         */
        public Builder startTimeout(Duration timeout) {
            startTimeout = Timeout.requirePositive("The start timeout of a domain", timeout);
            return this;
        }

        /**
         * Builds the configuration.
         *
         * @return a configuration with the settings of this builder
         * @throws IllegalArgumentException if there is no worker
         */
        public DomainConfiguration build() {
            if (workers.isEmpty()) {
                throw new IllegalArgumentException("A domain needs at least one worker");
            }
            return new DomainConfiguration(this);
        }
    }
}

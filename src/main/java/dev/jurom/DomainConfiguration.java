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
import org.jspecify.annotations.Nullable;

/** What a {@link Domain} is like. Made with a {@link #builder}; never changes. */
public final class DomainConfiguration {

    /** How long a start may take unless another time is asked for. */
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
     * Begins a configuration.
     *
     * @param exchange how this participant reaches the others; it stays its owner's, who uses it
     *        for nothing else until the domain has started, and closes it
     * @return a builder without workers
     */
    public static Builder builder(OutOfBandExchange exchange) {
        return new Builder(exchange);
    }

    /**
     * How this participant reaches the others.
     *
     * @return the exchange, which is not the domain's to close
     */
    public OutOfBandExchange exchange() {
        return exchange;
    }

    /**
     * This participant's workers.
     *
     * @return by their ids in the domain
     */
    public Map<Long, Worker> workers() {
        return workers;
    }

    /**
     * Memory of this process that all workers of the domain learn of.
     *
     * @return in the order of their numbers, from 0
     */
    public List<HostRegion> regions() {
        return regions;
    }

    /**
     * How long the start may take.
     *
     * @return more than nothing
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
     * @return whether it is a configuration with the same settings
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

    /** Makes configurations. Of one thread. */
    public static final class Builder {

        private final OutOfBandExchange exchange;
        private final Map<Long, Worker> workers = new LinkedHashMap<>();
        private final List<HostRegion> regions = new ArrayList<>();
        private Duration startTimeout = DEFAULT_START_TIMEOUT;

        private Builder(OutOfBandExchange exchange) {
            this.exchange = exchange;
        }

        /**
         * Adds a worker under the next free id of this participant: the first has the participant's
         * index, and each next one the number of participants more, so that no other participant
         * that does the same has the id.
         *
         * @param worker a running worker
         * @return this
         */
        public Builder worker(Worker worker) {
            return worker(exchange.index() + (long) workers.size() * exchange.participants(), worker);
        }

        /**
         * Adds a worker under an id.
         *
         * @param id unique in the whole domain; 64 bits, unsigned
         * @param worker a running worker
         * @return this
         * @throws IllegalArgumentException if a worker of this participant has the id, or this one
         *         has another
         */
        public Builder worker(long id, Worker worker) {
            if (workers.containsKey(id) || workers.containsValue(worker)) {
                throw new IllegalArgumentException(worker + " cannot have the domain id " + Long.toUnsignedString(id)
                        + ": " + workers + " are there already");
            }
            workers.put(id, worker);
            return this;
        }

        /**
         * Shares memory with all workers of the domain: they find it by its number. All
         * participants must share equally many regions. Stands for
         * {@code doca_urom_domain_add_buffer}.
         *
         * @param region to be closed after the domain
         * @return this
         */
        public Builder region(HostRegion region) {
            regions.add(region);
            return this;
        }

        /**
         * Sets how long the start may take: nobody tells that a participant never comes.
         *
         * @param timeout more than nothing
         * @return this
         * @throws IllegalArgumentException if it is zero or less
         */
        public Builder startTimeout(Duration timeout) {
            startTimeout = Timeout.requirePositive("The start timeout of a domain", timeout);
            return this;
        }

        /**
         * Ends the configuration.
         *
         * @return what was asked for
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

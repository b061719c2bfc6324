// SPDX-License-Identifier: Apache-2.0
package dev.jurom;

import dev.jurom.core.DocaException;
import dev.jurom.internal.DrivenDomain;
import java.util.Map;

/**
 * Workers of several processes that know each other, for any thread: it runs from the moment that
 * it was started ({@link Urom#domain}) until it is closed. Plugins reach the workers of all
 * participants by their ids in it, as {@link Sandbox} does.
 *
 * {@snippet class="dev.jurom.DomainTest" region="greet"}
 *
 * <p>It is closed before its workers, whose {@link Worker#close} would throw; {@link Urom#close}
 * closes all in order. Stands for {@code struct doca_urom_domain}: {@code doca_urom_domain_create},
 * {@code doca_urom_domain_set_oob}, {@code doca_urom_domain_set_workers},
 * {@code doca_urom_domain_set_buffers_count}, {@code doca_ctx_start}.
 */
public final class Domain implements AutoCloseable {

    private final DrivenDomain domain;
    private final Map<Long, Worker> workers;

    Domain(DrivenDomain domain, Map<Long, Worker> workers) {
        this.domain = domain;
        this.workers = workers;
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
     * The id of one of this participant's workers.
     *
     * @param worker one that the domain was started with
     * @return its id in the domain
     * @throws IllegalArgumentException if it was not
     */
    public long id(Worker worker) {
        return workers.entrySet().stream().filter(entry -> entry.getValue() == worker)
                .map(Map.Entry::getKey).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(worker + " is not in this " + this
                        + ", which has " + workers));
    }

    /**
     * Ends this participant's part: its workers reach the others no more. The exchange stays open.
     * No effect if it is closed. Takes a minute at most; an interrupt is kept for later. Stands for
     * {@code doca_ctx_stop} and {@code doca_urom_domain_destroy}.
     *
     * @throws DocaException with {@code TIME_OUT} if that was not enough: it goes on stopping
     */
    @Override
    public void close() {
        domain.close();
    }

    @Override
    public String toString() {
        return domain.toString();
    }
}

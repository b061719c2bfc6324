// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

/**
 * An all-gather that has begun. Stands for the request of
 * {@code doca_urom_domain_allgather_cb_t}.
 */
public interface AllGather extends AutoCloseable {

    /**
     * Moves this all-gather on, without blocking. Stands for
     * {@code doca_urom_domain_req_test_cb_t}.
     *
     * @return whether all blocks are here
     * @throws ExchangeException if it cannot be completed
     */
    boolean poll();

    /**
     * What was gathered.
     *
     * @return the blocks of all participants, one behind the other in the order of their indexes
     * @throws IllegalStateException if {@link #poll()} has not said that they are here
     */
    byte[] blocks();

    /**
     * Frees this all-gather. One that is not complete is given up, and its exchange is then of no
     * more use to any participant. Closing twice is fine. Stands for
     * {@code doca_urom_domain_req_free_cb_t}.
     */
    @Override
    void close();
}

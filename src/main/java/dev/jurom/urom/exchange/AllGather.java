// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

/**
 * An all-gather in progress. Stands for the request of {@code doca_urom_domain_allgather_cb_t}.
 * Used by one thread at a time, like its exchange.
 */
public interface AllGather extends AutoCloseable {

    /**
     * Advances this all-gather without blocking. Stands for {@code doca_urom_domain_req_test_cb_t}.
     *
     * @return whether it is complete
     * @throws ExchangeException if it cannot be completed
     */
    boolean poll();

    /**
     * Returns the gathered blocks.
     *
     * @return the blocks of all participants, concatenated in the order of their indexes
     * @throws IllegalStateException if {@link #poll()} has not returned true
     */
    byte[] blocks();

    /**
     * Releases this all-gather. If it is not complete, it is aborted, and no participant can use
     * the exchange any more. Has no effect if it is closed. Stands for
     * {@code doca_urom_domain_req_free_cb_t}.
     */
    @Override
    void close();
}

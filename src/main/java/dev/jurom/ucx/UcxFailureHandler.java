// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

/** Learns that the peer of an endpoint is gone. */
@FunctionalInterface
public interface UcxFailureHandler {

    /**
     * Runs once, inside {@code progress()} but outside UCX: it may close the endpoint, and should.
     *
     * @param endpoint the endpoint that failed
     * @param status why: a {@code ucs_status_t}
     */
    void failed(UcxEndpoint endpoint, int status);
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

/**
 * A response of the worker, which is the header of a UCX active message without data:
 * {@code struct urom_rdmo_rsp_hdr} and the response's own header.
 */
public sealed interface RdmoResponse {

    /**
     * All operations before a {@link RdmoRequest.Flush} have completed: {@code UROM_RDMO_RSP_FLUSH}.
     *
     * @param flushId the id in the request
     */
    record Flushed(long flushId) implements RdmoResponse {}
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

/**
 * What the worker sends back to a client as the header of a UCX active message without data:
 * {@code struct urom_rdmo_rsp_hdr} and the response's own header.
 */
public sealed interface RdmoResponse {

    /**
     * All operations before a {@link RdmoRequest.Flush} are done: {@code UROM_RDMO_RSP_FLUSH}.
     *
     * @param flushId the request's own
     */
    record Flushed(long flushId) implements RdmoResponse {}
}

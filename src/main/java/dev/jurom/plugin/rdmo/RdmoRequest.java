// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

/**
 * The header of a request that a client sends to the worker as a UCX active message:
 * {@code struct urom_rdmo_hdr} and the operation's own header. The bytes that the operation writes are
 * the data of the active message and not part of the header.
 */
public sealed interface RdmoRequest {

    /**
     * {@code UROM_RDMO_REQ_FLAG_FENCE}: complete the client's earlier operations first.
     */
    long FENCE = 1;

    /**
     * Returns the client whose memory the request accesses.
     *
     * @return the client's id, from {@link RdmoCommand.InitializeClient}
     */
    long client();

    /**
     * Returns the flags.
     *
     * @return 0 or {@link #FENCE}
     */
    long flags();

    /**
     * Requests a {@link RdmoResponse.Flushed} when all earlier operations have completed:
     * {@code UROM_RDMO_OP_FLUSH}. It has no data.
     *
     * @param client the client's id
     * @param flags 0 or {@link #FENCE}
     * @param flushId any value, which the response returns
     */
    record Flush(long client, long flags, long flushId) implements RdmoRequest {}

    /**
     * Writes the data to the address in a pointer in the target's memory, and advances the pointer past
     * the data: {@code UROM_RDMO_OP_APPEND}.
     *
     * @param client the client's id
     * @param flags 0 or {@link #FENCE}
     * @param pointerAddress the address of the pointer
     * @param pointerKey the key of the memory that contains the pointer
     * @param dataKey the key of the memory that contains the data
     */
    record Append(long client, long flags, long pointerAddress, long pointerKey, long dataKey) implements RdmoRequest {}

    /**
     * Writes vectors to their addresses: {@code UROM_RDMO_OP_SCATTER}. The data is a sequence of
     * {@link ScatterVector}s.
     *
     * @param client the client's id
     * @param flags 0 or {@link #FENCE}
     * @param count the number of vectors
     */
    record Scatter(long client, long flags, long count) implements RdmoRequest {}
}

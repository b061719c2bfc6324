// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

/**
 * The header of a request that a client sends to the worker as a UCX active message:
 * {@code struct urom_rdmo_hdr} and the operation's own header. What the operation writes is the
 * active message's data and is not part of it.
 */
public sealed interface RdmoRequest {

    /**
     * {@code UROM_RDMO_REQ_FLAG_FENCE}: finish this client's earlier operations first.
     */
    long FENCE = 1;

    /**
     * Who asks.
     *
     * @return the client's id, from {@link RdmoCommand.InitializeClient}
     */
    long client();

    /**
     * How to carry it out.
     *
     * @return 0 or {@link #FENCE}
     */
    long flags();

    /**
     * Asks for a {@link RdmoResponse.Flushed} when all earlier operations of the client are done:
     * {@code UROM_RDMO_OP_FLUSH}. It has no data.
     *
     * @param client the client's id
     * @param flags 0 or {@link #FENCE}
     * @param flushId comes back in the response
     */
    record Flush(long client, long flags, long flushId) implements RdmoRequest {}

    /**
     * Appends the data where a pointer in the target's memory points, and moves the pointer behind
     * it: {@code UROM_RDMO_OP_APPEND}.
     *
     * @param client the client's id
     * @param flags 0 or {@link #FENCE}
     * @param pointerAddress where that pointer lies
     * @param pointerKey the key of the memory it lies in
     * @param dataKey the key of the memory it points into
     */
    record Append(long client, long flags, long pointerAddress, long pointerKey, long dataKey) implements RdmoRequest {}

    /**
     * Writes the data's vectors to many places: {@code UROM_RDMO_OP_SCATTER}. The data is a
     * sequence of {@link ScatterVector}s.
     *
     * @param client the client's id
     * @param flags 0 or {@link #FENCE}
     * @param count how many vectors there are
     */
    record Scatter(long client, long flags, long count) implements RdmoRequest {}
}

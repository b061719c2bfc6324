// SPDX-License-Identifier: Apache-2.0
package dev.jurom.plugin.rdmo;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * One write of a {@link RdmoRequest.Scatter}: {@code struct urom_rdmo_scatter_iov} and its bytes.
 *
 * @param address the address in the target's memory
 * @param key the key of that memory
 * @param data the bytes, at most 65,535
 */
public record ScatterVector(long address, long key, MemorySegment data) {
    /** Checks the components. */
    public ScatterVector {
        Objects.requireNonNull(data, "data");
    }
}

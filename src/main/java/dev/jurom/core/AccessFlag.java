// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/**
 * What may be done with the memory of a map. Stands for {@code enum doca_access_flag}; without a
 * local flag the memory can be read on this side and not written.
 */
public enum AccessFlag {

    /** Libraries on this side may read and write. */
    LOCAL_READ_WRITE(1),

    /** A peer may read through RDMA. */
    RDMA_READ(1 << 1),

    /** A peer may write through RDMA. */
    RDMA_WRITE(1 << 2),

    /** A peer may use RDMA atomic operations. */
    RDMA_ATOMIC(1 << 3),

    /** The device behind PCI may read. */
    PCI_READ_ONLY(1 << 4),

    /** The device behind PCI may read and write. */
    PCI_READ_WRITE(1 << 5),

    /** Accesses through PCI may overtake each other. */
    PCI_RELAXED_ORDERING(1 << 6);

    private final int bit;

    AccessFlag(int bit) {
        this.bit = bit;
    }

    /**
     * The flag's value in C.
     *
     * @return one bit
     */
    public int bit() {
        return bit;
    }
}

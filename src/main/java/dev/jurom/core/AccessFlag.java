// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/**
 * Access rights to the memory of a {@link MemoryMap}. Without a local flag, libraries on this side
 * can read the memory but not write it. Stands for {@code enum doca_access_flag}.
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

    /** The device at the other end of PCI may read. */
    PCI_READ_ONLY(1 << 4),

    /** The device at the other end of PCI may read and write. */
    PCI_READ_WRITE(1 << 5),

    /** Accesses through PCI may be reordered. */
    PCI_RELAXED_ORDERING(1 << 6);

    private final int bit;

    AccessFlag(int bit) {
        this.bit = bit;
    }

    /**
     * Returns the value of this flag in C.
     *
     * @return a number with one bit set
     */
    public int bit() {
        return bit;
    }
}

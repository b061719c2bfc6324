// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucx_h;

/** What an atomic operation does to a remote number. Stands for {@code ucp_atomic_op_t}. */
public enum AtomicOperation {

    /** Adds the operand. */
    ADD(ucx_h.UCP_ATOMIC_OP_ADD()),
    /** Keeps the bits that the operand has too. */
    AND(ucx_h.UCP_ATOMIC_OP_AND()),
    /** Sets the bits that the operand has. */
    OR(ucx_h.UCP_ATOMIC_OP_OR()),
    /** Turns the bits that the operand has. */
    XOR(ucx_h.UCP_ATOMIC_OP_XOR()),
    /** Puts the operand in its place; only fetching. */
    SWAP(ucx_h.UCP_ATOMIC_OP_SWAP()),
    /**
     * Puts another number in its place if it is the operand; only fetching. The other number is
     * what the result's memory holds before.
     */
    COMPARE_AND_SWAP(ucx_h.UCP_ATOMIC_OP_CSWAP());

    private final int code;

    AtomicOperation(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** Whether UCX can do it without fetching what was there before. */
    boolean canPost() {
        return this != SWAP && this != COMPARE_AND_SWAP;
    }
}

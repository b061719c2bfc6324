// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucx_h;

/** A feature of a context. Stands for {@code enum ucp_feature}. */
public enum UcxFeature {

    /** Active messages. */
    ACTIVE_MESSAGES(ucx_h.UCP_FEATURE_AM()),
    /** Put and get operations on remote memory. */
    REMOTE_MEMORY(ucx_h.UCP_FEATURE_RMA()),
    /** Atomic operations on 8 bytes of remote memory. */
    ATOMICS_64(ucx_h.UCP_FEATURE_AMO64()),
    /** Waiting for events. */
    WAKE_UP(ucx_h.UCP_FEATURE_WAKEUP());

    private final long bit;

    UcxFeature(long bit) {
        this.bit = bit;
    }

    long bit() {
        return bit;
    }
}

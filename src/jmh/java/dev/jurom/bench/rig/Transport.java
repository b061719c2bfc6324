// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/** The transport of commands between a host and its worker. */
public enum Transport {

    /** Rings in shared memory, for a local worker. */
    SHARED_MEMORY,
    /** TLS over loopback, as for a remote worker. */
    TLS,
    /** UCX over tcp through loopback, in addition to TLS. */
    UCX
}

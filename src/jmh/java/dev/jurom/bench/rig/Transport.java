// SPDX-License-Identifier: Apache-2.0
package dev.jurom.bench.rig;

/** What carries commands between a host and its worker. */
public enum Transport {

    /** Rings, to a worker of the same machine. */
    SHARED_MEMORY,
    /** TLS over loopback, as to a worker of another machine. */
    TLS,
    /** UCX over tcp through loopback, with TLS beside it. */
    UCX
}

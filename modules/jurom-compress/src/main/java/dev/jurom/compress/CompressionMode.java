// SPDX-License-Identifier: Apache-2.0
package dev.jurom.compress;

/** The place where blocks are compressed and decompressed. */
public enum CompressionMode {

    /** In workers only. A block fails if no worker can process it. */
    OFFLOAD,

    /**
     * In workers. A block that no worker can process is processed in this process, and later ones in workers
     * again as soon as there are any. {@link Compression#counters} and the JFR event
     * {@code dev.jurom.CompressionFallback} show this.
     */
    AUTO,

    /** In this process only, on the thread of the caller. No service is opened. */
    LOCAL
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import org.jspecify.annotations.Nullable;

/** The part of an all-gather that does not depend on the transport. Not thread-safe. */
abstract class PolledAllGather implements AllGather {

    private byte @Nullable [] blocks; // the blocks of all participants; null if not complete
    private boolean closed;

    /**
     * Advances the all-gather; returns the blocks of all participants if it is complete, else null.
     */
    abstract byte @Nullable [] advance();

    /** Called when the all-gather is closed, complete or not. */
    abstract void ended(boolean complete);

    @Override
    public final boolean poll() {
        if (blocks == null) {
            blocks = advance();
        }
        return blocks != null;
    }

    @Override
    public final byte[] blocks() {
        if (blocks == null) {
            throw new IllegalStateException("The all-gather is not complete: poll it until it is");
        }
        return blocks;
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            ended(blocks != null);
        }
    }
}

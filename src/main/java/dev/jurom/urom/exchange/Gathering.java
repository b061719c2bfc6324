// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import org.jspecify.annotations.Nullable;

/** An all-gather, as far as it is the same however blocks travel. One thread at a time. */
abstract class Gathering implements AllGather {

    private byte @Nullable [] blocks; // of all; null: not complete
    private boolean closed;

    /** Moves it on; returns the blocks of all when they are here, else null. */
    abstract byte @Nullable [] advance();

    /** It is closed, with or without its blocks. */
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
            throw new IllegalStateException("An all-gather has no blocks before it is complete");
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

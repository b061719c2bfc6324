// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An operation that was started: done at once, or later inside the worker's {@code progress()}.
 * Belongs to the worker's thread; needs no closing. Stands for {@code ucs_status_ptr_t}.
 */
public final class UcxRequest {

    private final int number;
    private int status = UcxStatus.IN_PROGRESS;
    private @Nullable IntConsumer listener;
    private MemorySegment handle = MemorySegment.NULL; // UCX's, once it has begun

    UcxRequest(int number) {
        this.number = number;
    }

    /**
     * Whether the operation has come to its end, good or bad.
     *
     * @return true once {@link #status()} is final
     */
    public boolean isDone() {
        return status != UcxStatus.IN_PROGRESS;
    }

    /**
     * How the operation ended.
     *
     * @return a {@code ucs_status_t}: {@link UcxStatus#OK}, an error below 0, or
     *         {@link UcxStatus#IN_PROGRESS}
     */
    public int status() {
        return status;
    }

    /**
     * Runs {@code action} with the final status, at once when the operation is done already. Only
     * one action can be set.
     *
     * @param action what to do; runs on the worker's thread
     */
    public void whenDone(IntConsumer action) {
        if (listener != null) {
            throw new IllegalStateException("This request has an action already");
        }
        listener = action;
        if (isDone()) {
            action.accept(status);
        }
    }

    int number() {
        return number;
    }

    void begun(MemorySegment nativeRequest) {
        handle = nativeRequest;
    }

    /** UCX's request; NULL where it was done at once. */
    MemorySegment handle() {
        return handle;
    }

    void finish(int finalStatus) {
        status = finalStatus;
        if (listener != null) {
            listener.accept(finalStatus);
        }
    }
}

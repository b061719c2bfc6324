// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An operation that was started. It is done immediately, or later inside {@code progress()} of the
 * worker. Used by the thread of the worker; need not be closed. Stands for
 * {@code ucs_status_ptr_t}.
 */
public final class UcxRequest {

    private final int number;
    private int status = UcxStatus.IN_PROGRESS;
    private @Nullable IntConsumer listener;
    private MemorySegment handle = MemorySegment.NULL; // the request of UCX, once it has begun

    UcxRequest(int number) {
        this.number = number;
    }

    /**
     * Returns whether the operation is done, successfully or not.
     *
     * @return true once {@link #status()} is final
     */
    public boolean isDone() {
        return status != UcxStatus.IN_PROGRESS;
    }

    /**
     * Returns the status of the operation.
     *
     * @return a {@code ucs_status_t}: {@link UcxStatus#OK}, an error less than 0, or
     *         {@link UcxStatus#IN_PROGRESS}
     */
    public int status() {
        return status;
    }

    /**
     * Sets the action that is called with the final status; it is called immediately if the
     * operation is done.
     *
     * @param action the action, which the thread of the worker calls
     * @throws IllegalStateException if an action was set before
     */
    public void whenDone(IntConsumer action) {
        if (listener != null) {
            throw new IllegalStateException("This request already has an action");
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

    /** Returns the request of UCX; NULL if the operation was done immediately. */
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

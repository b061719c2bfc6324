// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.MemorySegment;

/** Status codes of UCX, as numbers and as encoded in pointers. Stands for {@code ucs_status_t}. */
public final class UcxStatus {

    /** The operation succeeded. */
    public static final int OK = ucx_h.UCS_OK();
    /** The operation has begun and completes later. */
    static final int IN_PROGRESS = ucx_h.UCS_INPROGRESS();
    /** There are more events to progress before sleeping. */
    static final int BUSY = ucx_h.UCS_ERR_BUSY();

    private static final int LAST = ucx_h.UCS_ERR_LAST();

    private UcxStatus() {}

    /**
     * Returns the description of a status. Stands for {@code ucs_status_string}.
     *
     * @param status a {@code ucs_status_t}
     * @return the text of UCX
     */
    public static String text(int status) {
        return ucx_h.ucs_status_string((byte) status).getString(0);
    }

    /**
     * Throws an exception unless a status is success.
     *
     * @param what the operation that failed, as the beginning of the message
     * @throws UcxException unless {@code status} is {@link #OK}
     */
    static void require(String what, int status) {
        if (status != OK) {
            throw new UcxException(what, status);
        }
    }

    /** Returns whether a {@code ucs_status_ptr_t} encodes an error: {@code UCS_PTR_IS_ERR}. */
    static boolean isError(MemorySegment pointer) {
        return Long.compareUnsigned(pointer.address(), LAST) >= 0;
    }

    /** Returns the error that a {@code ucs_status_ptr_t} encodes: {@code UCS_PTR_STATUS}. */
    static int errorOf(MemorySegment pointer) {
        return (int) pointer.address();
    }
}

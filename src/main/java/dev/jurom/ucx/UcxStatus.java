// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

import dev.jurom.abi.ucx.ucx_h;
import java.lang.foreign.MemorySegment;

/** Status codes of UCX, plain and as they hide in pointers. Stands for {@code ucs_status_t}. */
public final class UcxStatus {

    /** It worked. */
    public static final int OK = ucx_h.UCS_OK();
    /** It has begun and will complete later. */
    public static final int IN_PROGRESS = ucx_h.UCS_INPROGRESS();
    /** There is more to progress before sleeping. */
    static final int BUSY = ucx_h.UCS_ERR_BUSY();

    private static final int LAST = ucx_h.UCS_ERR_LAST();

    private UcxStatus() {}

    /**
     * What a status means. Stands for {@code ucs_status_string}.
     *
     * @param status a {@code ucs_status_t}
     * @return UCX's own words
     */
    public static String text(int status) {
        return ucx_h.ucs_status_string((byte) status).getString(0);
    }

    /**
     * Requires success.
     *
     * @param what the sentence's begin, for the message: what could not be done
     * @throws UcxException unless {@code status} is {@link #OK}
     */
    static void require(String what, int status) {
        if (status != OK) {
            throw new UcxException(what, status);
        }
    }

    /** Whether a {@code ucs_status_ptr_t} is an error in disguise: {@code UCS_PTR_IS_ERR}. */
    static boolean isError(MemorySegment pointer) {
        return Long.compareUnsigned(pointer.address(), LAST) >= 0;
    }

    /** The error that a {@code ucs_status_ptr_t} disguises: {@code UCS_PTR_STATUS}. */
    static int errorOf(MemorySegment pointer) {
        return (int) pointer.address();
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

/** A UCX call that failed: which, on what, and what UCX says. */
public final class UcxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What UCX answered. */
    private final int status;

    UcxException(String what, int status) {
        super(what + ": " + UcxStatus.text(status));
        this.status = status;
    }

    /**
     * The status that UCX answered with.
     *
     * @return a {@code ucs_status_t}, negative
     */
    public int status() {
        return status;
    }
}

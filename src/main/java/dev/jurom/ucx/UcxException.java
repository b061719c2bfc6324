// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

/** A UCX call that failed: which, on what, and what UCX says. */
public final class UcxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UcxException(String what, int status) {
        super(what + ": " + UcxStatus.text(status));
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.ucx;

/** Thrown when a UCX call fails. The message states the operation, the object and the UCX error. */
public final class UcxException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UcxException(String what, int status) {
        this(what + ": " + UcxStatus.text(status));
    }

    UcxException(String message) {
        super(message);
    }
}

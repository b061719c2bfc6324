// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service;

import dev.jurom.core.DocaError;

/** Bytes that are no frame; the message says why not. */
final class FrameException extends Exception {

    private static final long serialVersionUID = 1L;

    private final DocaError error;

    FrameException(DocaError error, String message) {
        super(message);
        this.error = error;
    }

    /**
     * What kind of fault it is: the same that the C decoder answers.
     *
     * @return {@code UNSUPPORTED_VERSION}, {@code TOO_BIG}, or {@code INVALID_VALUE} for all others
     */
    public DocaError error() {
        return error;
    }
}

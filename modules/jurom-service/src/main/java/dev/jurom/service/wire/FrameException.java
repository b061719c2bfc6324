// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import dev.jurom.core.DocaError;

/** Thrown for bytes that are not a valid frame; the message names the reason. */
public final class FrameException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The kind of the error. */
    private final DocaError error;

    /**
     * Creates an exception.
     *
     * @param error the kind of the error
     * @param message the reason why the bytes are invalid
     */
    public FrameException(DocaError error, String message) {
        super(message);
        this.error = error;
    }

    /**
     * Returns the kind of the error, which is the same as that of the C decoder.
     *
     * @return {@code UNSUPPORTED_VERSION}, {@code TOO_BIG}, or {@code INVALID_VALUE} for all others
     */
    public DocaError error() {
        return error;
    }
}

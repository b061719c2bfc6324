// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.wire;

import dev.jurom.core.DocaError;

/** Bytes that are no frame; the message says why not. */
public final class FrameException extends Exception {

    private static final long serialVersionUID = 1L;

    /** What kind of fault it is. */
    private final DocaError error;

    /**
     * Bytes that are no frame.
     *
     * @param error what kind of fault it is
     * @param message why they are none
     */
    public FrameException(DocaError error, String message) {
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

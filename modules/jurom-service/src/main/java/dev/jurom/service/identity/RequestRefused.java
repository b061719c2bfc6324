// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.core.DocaError;

/** Thrown when a host's request cannot be granted; the host receives the error and the message. */
public final class RequestRefused extends Exception {

    private static final long serialVersionUID = 1L;

    private final DocaError error;

    /**
     * Creates an exception without a stack trace, because it is an answer to a host rather than a fault.
     *
     * @param error the error, which the host receives
     * @param message a sentence for the user of the host: the reason, and what to do
     */
    public RequestRefused(DocaError error, String message) {
        super(message, null, false, false);
        this.error = error;
    }

    /** {@return the error that the host receives} */
    public DocaError error() {
        return error;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.identity;

import dev.jurom.core.DocaError;

/** A request of a host that cannot be granted; the host is told the error and the message. */
public final class RequestRefused extends Exception {

    private static final long serialVersionUID = 1L;

    private final DocaError error;

    public RequestRefused(DocaError error, String message) {
        super(message, null, false, false); // an answer, not a fault: nobody looks at the stack
        this.error = error;
    }

    public DocaError error() {
        return error;
    }
}

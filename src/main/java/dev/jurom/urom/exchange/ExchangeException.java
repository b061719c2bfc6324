// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when an all-gather cannot be completed. The message states which participant caused the
 * failure, and why.
 */
public final class ExchangeException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** The status for a domain that needs the all-gather. */
    private final DocaError error;

    /**
     * Creates an exception.
     *
     * @param error the status for a domain that needs the all-gather; not {@link DocaError#SUCCESS}
     * @param message one sentence
     */
    public ExchangeException(DocaError error, String message) {
        super(message);
        this.error = error;
    }

    /**
     * Creates an exception with a cause.
     *
     * @param error the status for a domain that needs the all-gather; not {@link DocaError#SUCCESS}
     * @param message one sentence
     * @param cause the cause, or null
     */
    @SuppressWarnings("exports") // callers do not need the annotation
    public ExchangeException(DocaError error, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    /**
     * Returns the status for a domain that needs the all-gather.
     *
     * @return the status, never {@link DocaError#SUCCESS}
     */
    public DocaError error() {
        return error;
    }
}

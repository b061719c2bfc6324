// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom.exchange;

import dev.jurom.core.DocaError;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An all-gather cannot be completed: the message says which participant is at fault, and why. */
public final class ExchangeException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** What a domain that needs the all-gather is told. */
    private final DocaError error;

    /**
     * Makes an exception.
     *
     * @param error what a domain that needs the all-gather is told; not {@link DocaError#SUCCESS}
     * @param message one sentence
     */
    public ExchangeException(DocaError error, String message) {
        super(message);
        this.error = error;
    }

    /**
     * Makes an exception that another one has led to.
     *
     * @param error what a domain that needs the all-gather is told; not {@link DocaError#SUCCESS}
     * @param message one sentence
     * @param cause what has led to it
     */
    @SuppressWarnings("exports") // of Nullable: callers need no org.jspecify
    public ExchangeException(DocaError error, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    /**
     * What a domain that needs the all-gather is told.
     *
     * @return never {@link DocaError#SUCCESS}
     */
    public DocaError error() {
        return error;
    }
}

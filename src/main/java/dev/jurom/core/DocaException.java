// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.io.Serial;

/** A call of the DOCA library failed: which, with which status, and what the caller can do. */
public final class DocaException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** What the function answered. */
    private final DocaError error;
    /** The C function. */
    private final String function;
    /** What the caller can do about it. */
    private final String advice;

    /**
     * Makes an exception.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function that answered with it
     * @param subject the object it was called for, as its {@code toString} names it
     * @param advice what the caller can do about it: one sentence
     */
    public DocaException(DocaError error, String function, String subject, String advice) {
        super(subject + ": " + function + " failed with " + error + " (" + error.description()
                + "). " + advice);
        this.error = error;
        this.function = function;
        this.advice = advice;
    }

    /**
     * Makes an exception with the error's own advice.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function that answered with it
     * @param subject the object it was called for, as its {@code toString} names it
     */
    public DocaException(DocaError error, String function, String subject) {
        this(error, function, subject, error.advice());
    }

    /**
     * The status.
     *
     * @return never {@link DocaError#SUCCESS}
     */
    public DocaError error() {
        return error;
    }

    /**
     * The C function that failed.
     *
     * @return its name, for example {@code doca_ctx_start}
     */
    public String function() {
        return function;
    }

    /**
     * What the caller can do about it.
     *
     * @return one sentence
     */
    public String advice() {
        return advice;
    }
}

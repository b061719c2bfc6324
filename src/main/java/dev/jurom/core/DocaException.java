// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

import java.io.Serial;

/**
 * Thrown when a call of the DOCA library fails. It has the C function, the status, and advice on
 * how to correct the failure.
 */
public final class DocaException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** The status of the function. */
    private final DocaError error;
    /** The C function. */
    private final String function;
    /** How to correct the failure. */
    private final String advice;
    /** The response of a command that failed. */
    private final byte[] response;

    /**
     * Creates an exception.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function that returned it
     * @param subject the object of the call, as its {@code toString} names it
     * @param advice how to correct the failure, in one sentence
     */
    public DocaException(DocaError error, String function, String subject, String advice) {
        this(error, function, subject, advice, new byte[0]);
    }

    /**
     * Creates an exception for a command that failed.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function that returned it
     * @param subject the object of the call, as its {@code toString} names it
     * @param advice how to correct the failure, in one sentence
     * @param response the response of the plugin, which is copied
     */
    public DocaException(DocaError error, String function, String subject, String advice, byte[] response) {
        this(
                subject + ": " + function + " failed with " + error + " (" + error.description() + "). " + advice,
                error,
                function,
                advice,
                response);
    }

    private DocaException(String message, DocaError error, String function, String advice, byte[] response) {
        super(message);
        this.error = error;
        this.function = function;
        this.advice = advice;
        this.response = response.clone();
    }

    /**
     * Creates an exception for an operation that consists of several calls, or that did not fail in
     * the library. Its message does not name the function.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function that did not produce the result
     * @param problem a sentence without a full stop: the operation that failed, its object, and the reason
     * @param advice how to correct the failure, in one sentence
     * @param response the response of the plugin, which is copied
     * @return a new exception
     */
    public static DocaException of(DocaError error, String function, String problem, String advice, byte[] response) {
        return new DocaException(
                problem + ": " + error + " (" + error.description() + "). " + advice,
                error,
                function,
                advice,
                response);
    }

    /**
     * Creates an exception with the general advice of the error.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function that returned it
     * @param subject the object of the call, as its {@code toString} names it
     */
    public DocaException(DocaError error, String function, String subject) {
        this(error, function, subject, error.advice());
    }

    private DocaException(DocaException original) {
        super(original.getMessage(), original.getCause() != null ? original.getCause() : original);
        this.error = original.error;
        this.function = original.function;
        this.advice = original.advice;
        this.response = original.response;
    }

    /**
     * Returns an exception for the same failure with the stack trace of the current thread, for a
     * failure that another thread detected. Its cause is the cause of this exception, or this
     * exception if it has none.
     *
     * @return a new exception, to be thrown
     */
    public DocaException inCurrentThread() {
        return new DocaException(this);
    }

    /**
     * Returns the status.
     *
     * @return the status, never {@link DocaError#SUCCESS}
     */
    public DocaError error() {
        return error;
    }

    /**
     * Returns the C function that failed.
     *
     * @return its name, for example {@code doca_ctx_start}
     */
    public String function() {
        return function;
    }

    /**
     * Returns advice on how to correct the failure.
     *
     * @return one sentence
     */
    public String advice() {
        return advice;
    }

    /**
     * Returns the response of the command that failed, in which a plugin may describe the failure
     * in more detail than the status does. Stands for
     * {@code doca_urom_worker_cmd_task_get_response}.
     *
     * @return a copy of the response, padded with zeros to at least 64 bytes; empty if the failure
     *         is not that of a command of a {@code Worker}, or the command was never answered
     */
    public byte[] response() {
        return response.clone();
    }
}

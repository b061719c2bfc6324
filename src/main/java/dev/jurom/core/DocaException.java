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
    /** What came with the failure. */
    private final byte[] response;

    /**
     * Makes an exception.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function that answered with it
     * @param subject the object it was called for, as its {@code toString} names it
     * @param advice what the caller can do about it: one sentence
     */
    public DocaException(DocaError error, String function, String subject, String advice) {
        this(error, function, subject, advice, new byte[0]);
    }

    /**
     * Makes an exception for a command that was answered with a failure.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function that answered with it
     * @param subject the object it was called for, as its {@code toString} names it
     * @param advice what the caller can do about it: one sentence
     * @param response what the plugin has answered besides; copied
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
     * Makes an exception for an operation that consists of several calls, or that did not fail in
     * the library.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function whose call did not bring the result
     * @param problem what failed, on which object, and why, without a full stop
     * @param advice what the caller can do about it: one sentence
     * @param response what the plugin has answered besides; copied
     * @return an exception whose message does not name the function
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
     * Makes an exception with the error's own advice.
     *
     * @param error the status; not {@link DocaError#SUCCESS}
     * @param function the C function that answered with it
     * @param subject the object it was called for, as its {@code toString} names it
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
     * Returns the same failure with the stack trace of the current thread: for a failure that
     * another thread has found. Its cause is the cause of this, or else this.
     *
     * @return an exception to be thrown
     */
    public DocaException inCurrentThread() {
        return new DocaException(this);
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

    /**
     * What a command's response held when the command failed: a plugin may say more there than the
     * status does. Stands for {@code doca_urom_worker_cmd_task_get_response}.
     *
     * @return a copy of what the plugin packed, filled up with zeros to 64 bytes if that is less;
     *         empty if what failed was no command of a {@code Worker}, or was never answered
     */
    public byte[] response() {
        return response.clone();
    }
}

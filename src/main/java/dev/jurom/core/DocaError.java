// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/**
 * The status codes of DOCA calls. Stands for {@code doca_error_t}; {@link #name()} is in place of
 * {@code doca_error_get_name}.
 *
 * <p>{@link #AGAIN}, {@link #EMPTY} and {@link #IN_PROGRESS} are results rather than failures:
 * methods that can receive them document how they return them, and do not throw.
 */
public enum DocaError {

    /** The operation succeeded. */
    SUCCESS("success", "Nothing is wrong."),
    /** An unspecified error. */
    UNKNOWN("unknown error", "Raise the log level of the library (-Djurom.log.level=debug)."),
    /** The operation is not permitted in this state or for this user. */
    NOT_PERMITTED("operation not permitted", "Stop the object, complete its tasks, or obtain the permission."),
    /** The object is still in use. */
    IN_USE("resource already in use", "Release what depends on the object first."),
    /** The library or the device does not support the operation. */
    NOT_SUPPORTED("operation not supported", "Query the capabilities of the device first."),
    /** A resource is temporarily unavailable. */
    AGAIN("resource temporarily unavailable", "Progress the engine, then try again."),
    /** An argument is out of range. */
    INVALID_VALUE("invalid input", "Check the arguments against their documented ranges."),
    /** Memory or a configured limit is exhausted. */
    NO_MEMORY(
            "memory allocation failure",
            "Release tasks or buffers that are no longer needed, or raise the configured limit."),
    /** An object could not be initialized. */
    INITIALIZATION(
            "resource initialization failure", "Check the configuration of the object and the log of the library."),
    /** The operation timed out. */
    TIME_OUT("timer expired", "Check that the peer is running, or allow more time."),
    /** The peer is shutting down. */
    SHUTDOWN("shut down in process or completed", "Open a new connection."),
    /** The peer closed the connection. */
    CONNECTION_RESET("connection reset by peer", "Check that the peer is running; connect again."),
    /** The connection was aborted. */
    CONNECTION_ABORTED("connection aborted", "Check that the peer is running; connect again."),
    /** The connection is being established. */
    CONNECTION_INPROGRESS("connection in progress", "Progress the engine until it is established."),
    /** There is no connection. */
    NOT_CONNECTED("not connected", "Connect the object to its progress engine or peer first."),
    /** A lock could not be acquired. */
    NO_LOCK("unable to acquire required lock", "Try again when other threads have released it."),
    /** The requested object does not exist. */
    NOT_FOUND("resource not found", "Check the name or id, and that its owner is running."),
    /** An input or output operation failed. */
    IO_FAILED("input/output operation failed", "Check that the peer is still running and reachable."),
    /** The object is in the wrong state for the operation. */
    BAD_STATE("bad state", "Configure objects while they are idle; use them while they run."),
    /** The two sides use different versions. */
    UNSUPPORTED_VERSION("unsupported version", "Use the same release on both sides."),
    /** A call of the operating system failed. */
    OPERATING_SYSTEM("operating system call failure", "Check the limits of the process and the log of the library."),
    /** A call of the driver failed. */
    DRIVER("DOCA driver call failure", "Check the installation of the driver."),
    /** An unexpected condition: a defect. */
    UNEXPECTED("unexpected scenario encountered", "Report this, with the log of the library."),
    /** The object already exists. */
    ALREADY_EXIST("resource already exists", "Use the existing one or choose another name or id."),
    /** No space is left in an object. */
    FULL("no more space in resource", "Raise the configured limit, or add less."),
    /** An object is empty. */
    EMPTY("no entry is available in resource", "Progress the engine until an entry is available."),
    /** The operation has begun and completes later. */
    IN_PROGRESS("operation is in progress", "Progress the engine until it completes."),
    /** The request exceeds a maximum. */
    TOO_BIG("requested operation too big", "Request less, or raise the maximum message size."),
    /** The peer did not accept the identity of this process. */
    AUTHENTICATION(
            "authentication failure",
            "Give each side the certificate of the other (DOCA_UROM_KEY_FILE names the key of this side)."),
    /** The configuration is wrong. */
    BAD_CONFIG("bad configuration", "Check the configuration of the library."),
    /** The operation was skipped because an earlier one failed. */
    SKIPPED("result is valid, but some previous output was dropped", "Check which earlier operation failed.");

    private static final DocaError[] BY_CODE = values();

    private final String description;
    private final String advice;

    DocaError(String description, String advice) {
        this.description = description;
        this.advice = advice;
    }

    /**
     * Returns the error with a given code.
     *
     * @param code a {@code doca_error_t}
     * @return the error; {@link #UNKNOWN} for a code that this release does not define
     */
    public static DocaError of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }

    /**
     * Returns the value of this error in C.
     *
     * @return 0 for {@link #SUCCESS}, else 1 to 30
     */
    public int code() {
        return ordinal();
    }

    /**
     * Returns a short description. In place of {@code doca_error_get_descr}.
     *
     * @return the description, in lower case, without a full stop
     */
    public String description() {
        return description;
    }

    /**
     * Returns general advice on how to correct the error.
     *
     * @return one sentence
     */
    public String advice() {
        return advice;
    }

    /**
     * Returns whether this is {@link #SUCCESS}.
     *
     * @return true for {@link #SUCCESS}, else false
     */
    public boolean isSuccess() {
        return this == SUCCESS;
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.core;

/**
 * The status codes that every DOCA call answers with. Stands for {@code doca_error_t};
 * {@link #name()} is in place of {@code doca_error_get_name}.
 *
 * <p>{@link #AGAIN}, {@link #EMPTY} and {@link #IN_PROGRESS} are answers rather than failures:
 * methods that can get them say so in their result and do not throw.
 */
public enum DocaError {

    /** It worked. */
    SUCCESS("success", "Nothing is wrong."),
    /** The library does not know what failed. */
    UNKNOWN("unknown error", "Raise the log level of the library (-Djurom.log.level=debug)."),
    /** Not allowed in this state or for this user. */
    NOT_PERMITTED("operation not permitted", "Stop the object, complete its tasks, or ask for the right to do this."),
    /** Somebody else still uses the object. */
    IN_USE("resource already in use", "Release what depends on the object first."),
    /** The library or the device cannot do this. */
    NOT_SUPPORTED("operation not supported", "Ask the capabilities of the device first."),
    /** No resources now. */
    AGAIN("resource temporarily unavailable", "Progress the engine, then try again."),
    /** An argument is out of range. */
    INVALID_VALUE("invalid input", "Check the arguments against their documented ranges."),
    /** Memory, or a limit that was set, is used up. */
    NO_MEMORY(
            "memory allocation failure",
            "Release tasks or buffers that are no longer needed, or raise the configured limit."),
    /** An object could not be made ready. */
    INITIALIZATION(
            "resource initialization failure", "Check the configuration of the object and the log of the library."),
    /** It took too long. */
    TIME_OUT("timer expired", "Check that the peer is running, or allow more time."),
    /** The peer is shutting down. */
    SHUTDOWN("shut down in process or completed", "Open a new connection."),
    /** The peer closed the connection. */
    CONNECTION_RESET("connection reset by peer", "Check that the peer is running; connect again."),
    /** The connection was given up. */
    CONNECTION_ABORTED("connection aborted", "Check that the peer is running; connect again."),
    /** The connection is being made. */
    CONNECTION_INPROGRESS("connection in progress", "Progress the engine until it is made."),
    /** There is no connection. */
    NOT_CONNECTED("not connected", "Connect the object to its progress engine or peer first."),
    /** A lock could not be taken. */
    NO_LOCK("unable to acquire required lock", "Try again when other threads are done."),
    /** The thing asked for is not there. */
    NOT_FOUND("resource not found", "Check the name or id, and that its owner is running."),
    /** Reading or writing failed. */
    IO_FAILED("input/output operation failed", "Check that the peer is still running and reachable."),
    /** Not possible in the object's present state. */
    BAD_STATE("bad state", "Configure objects while they are idle; use them while they run."),
    /** The two sides speak different versions. */
    UNSUPPORTED_VERSION("unsupported version", "Use the same release on both sides."),
    /** The operating system refused. */
    OPERATING_SYSTEM("operating system call failure", "Check the limits of the process and the log of the library."),
    /** The driver refused. */
    DRIVER("DOCA driver call failure", "Check the installation of the driver."),
    /** Something that cannot happen did. */
    UNEXPECTED("unexpected scenario encountered", "Report this, with the log of the library."),
    /** There is one already. */
    ALREADY_EXIST("resource already exists", "Use the existing one or choose another name or id."),
    /** No more room. */
    FULL("no more space in resource", "Raise the count that was set, or add less."),
    /** Nothing is there. */
    EMPTY("no entry is available in resource", "Progress the engine until there is something."),
    /** It has begun and will complete later. */
    IN_PROGRESS("operation is in progress", "Progress the engine until it completes."),
    /** The request exceeds a maximum. */
    TOO_BIG("requested operation too big", "Ask for less, or raise the maximum message size."),
    /** The peer does not accept who we are. */
    AUTHENTICATION(
            "authentication failure",
            "Give each side the other's certificate (DOCA_UROM_KEY_FILE has this one's key)."),
    /** The configuration is wrong. */
    BAD_CONFIG("bad configuration", "Check the configuration of the library."),
    /** It was not done, since something before it failed. */
    SKIPPED("result is valid, but some previous output was dropped", "Look at what failed before it.");

    private static final DocaError[] BY_CODE = values();

    private final String description;
    private final String advice;

    DocaError(String description, String advice) {
        this.description = description;
        this.advice = advice;
    }

    /**
     * The error with a given code.
     *
     * @param code a {@code doca_error_t}
     * @return the error; {@link #UNKNOWN} for a code that this release does not know
     */
    public static DocaError of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : UNKNOWN;
    }

    /**
     * The value of this error in C.
     *
     * @return 0 for {@link #SUCCESS}, else 1 to 30
     */
    public int code() {
        return ordinal();
    }

    /**
     * What it means, in a few words. In place of {@code doca_error_get_descr}.
     *
     * @return lower case, without a full stop
     */
    public String description() {
        return description;
    }

    /**
     * What the caller can do about it in general.
     *
     * @return one sentence
     */
    public String advice() {
        return advice;
    }

    /**
     * Whether this is {@link #SUCCESS}.
     *
     * @return true for {@link #SUCCESS} alone
     */
    public boolean isSuccess() {
        return this == SUCCESS;
    }
}

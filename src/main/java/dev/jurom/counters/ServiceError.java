// SPDX-License-Identifier: Apache-2.0
package dev.jurom.counters;

/**
 * The errors that a service counts. Each is a fixed phrase with a place of its own in the file, so
 * that no peer can choose a text or take the place of another error. The log has the details.
 */
public enum ServiceError {

    /** A limit was reached. */
    LIMIT("A host was refused: a limit was reached (FULL)"),
    /** The host, its user or its account may not do this. */
    NOT_PERMITTED("A host was refused: it is not permitted (NOT_PERMITTED)"),
    /** A request or an environment is too long. */
    TOO_BIG("A host was refused: its request is too big (TOO_BIG)"),
    /** A request asks for something that is not possible. */
    INVALID_VALUE("A host was refused: its request is not valid (INVALID_VALUE)"),
    /** A worker of this id runs with other settings. */
    ALREADY_EXIST("A host was refused: its worker runs with other settings (ALREADY_EXIST)"),
    /** A host released a worker that it does not hold. */
    NOT_FOUND("A host was refused: it does not hold this worker (NOT_FOUND)"),
    /** A worker ended before its host received its address. */
    CONNECTION_RESET("A host was refused: its worker ended (CONNECTION_RESET)"),
    /** A worker was not ready in time. */
    TIME_OUT("A host was refused: its worker was not ready in time (TIME_OUT)"),
    /** The service is ending. */
    SHUTDOWN("A host was refused: the service is ending (SHUTDOWN)"),
    /** Any other error, such as one that a worker has reported. */
    OTHER("A host was refused for another reason"),
    /** A connection did not show which host it belongs to. */
    UNIDENTIFIED("A host did not show who it is"),
    /** A worker process did not become ready. */
    WORKER_NOT_STARTED("A worker did not start"),
    /** A worker process was ended by a signal, of the service or of another process. */
    WORKER_KILLED("A worker was ended by a signal");

    private final String phrase;

    ServiceError(String phrase) {
        this.phrase = phrase;
    }

    /** The text in the file. */
    String phrase() {
        return phrase;
    }
}

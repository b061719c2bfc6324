// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

/**
 * The errors that a service counts. Each is a fixed phrase with its own slot in the file, so that
 * no peer can choose a text or displace another error. The log has the details.
 */
public enum ServiceError {

    /** A limit was reached. */
    LIMIT("A host was rejected: a limit was reached (FULL)"),
    /** The host, its user or its account may not do this. */
    NOT_PERMITTED("A host was rejected: it is not permitted (NOT_PERMITTED)"),
    /** A request or an environment is too long. */
    TOO_BIG("A host was rejected: its request is too big (TOO_BIG)"),
    /** A request has an invalid value, or the host has another maximum message size. */
    INVALID_VALUE("A host was rejected: its request or its maximum message size is invalid (INVALID_VALUE)"),
    /** The host has another version of the protocol. */
    UNSUPPORTED_VERSION("A host was rejected: it has another version of the protocol (UNSUPPORTED_VERSION)"),
    /** A frame arrived at the wrong time. */
    BAD_STATE("A host was rejected: it sent an unexpected frame (BAD_STATE)"),
    /** A worker of this id runs with other settings. */
    ALREADY_EXIST("A host was rejected: its worker runs with other settings (ALREADY_EXIST)"),
    /** A host released a worker that it does not hold. */
    NOT_FOUND("A host was rejected: it does not hold this worker (NOT_FOUND)"),
    /** A worker ended before its host received its address. */
    CONNECTION_RESET("A host was rejected: its worker ended (CONNECTION_RESET)"),
    /** A worker, or the handshake of a host, was not ready in time. */
    TIME_OUT("A host was rejected: it or its worker was not ready in time (TIME_OUT)"),
    /** A host did not finish a frame, or did not read its frames. */
    DISCONNECTED("A host was disconnected: it did not finish or read frames"),
    /** The service is shutting down. */
    SHUTDOWN("A host was rejected: the service is shutting down (SHUTDOWN)"),
    /** Any other error, such as one that a worker reported. */
    OTHER("A host was rejected for another reason"),
    /** A connection did not authenticate its host. */
    UNIDENTIFIED("A host did not authenticate"),
    /** A worker process did not become ready. */
    WORKER_NOT_STARTED("A worker did not start"),
    /** A worker process was terminated by a signal, of the service or of another process. */
    WORKER_KILLED("A worker was terminated by a signal");

    private final String phrase;

    ServiceError(String phrase) {
        this.phrase = phrase;
    }

    /** Returns the text in the file. */
    String phrase() {
        return phrase;
    }
}

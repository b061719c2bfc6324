// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.logs;

/** The events by which a peer causes lines of the log, with the maximum numbers of lines a minute. */
public enum PeerCause {

    /** A connection ends before its host is authenticated. */
    UNIDENTIFIED(10, 60, "Connections that did not authenticate"),
    /** A connection is rejected. */
    CONNECTION(10, 60, "Connections that are rejected"),
    /** A request is rejected. */
    REQUEST(10, 60, "Requests that are rejected"),
    /** The service ends a session. */
    SESSION(10, 60, "Sessions that the service has ended"),
    /** A failure of the service while it serves a host. */
    FAILURE(10, 60, "Failures of connections"),
    /** A session begins; for the audit log. */
    SESSION_BEGIN(60, Integer.MAX_VALUE, "Sessions that have begun"),
    /** A session ends; for the audit log. */
    SESSION_END(60, Integer.MAX_VALUE, "Sessions that have ended"),
    /** The start, the end or a failure of a worker. */
    WORKER(60, 120, "Events of workers"),
    /** The lines of a worker are lost. */
    WORKER_LOG(10, 10, "Workers whose lines are lost"),
    /** A connection is rejected because the service has too few descriptors. */
    DESCRIPTORS(1, 1, "Connections that are rejected for lack of descriptors"),
    /** A connection cannot be accepted. */
    ACCEPT(1, 1, "Connections that cannot be accepted"),
    /** A host waits for a search for plugins. */
    SEARCH(1, 1, "Hosts that have waited for a search for plugins");

    private final int ofSource;
    private final int ofAll;
    private final String phrase;

    PeerCause(int ofSource, int ofAll, String phrase) {
        this.ofSource = ofSource;
        this.ofAll = ofAll;
        this.phrase = phrase;
    }

    /** Returns the maximum number of lines of one source in a minute. */
    int ofSource() {
        return ofSource;
    }

    /** Returns the maximum number of lines of all sources in a minute. */
    int ofAll() {
        return ofAll;
    }

    /** Returns whether its lines belong to the audit log. */
    boolean isOfAudit() {
        return this == SESSION_BEGIN || this == SESSION_END;
    }

    /** Returns the subject of the line that counts the others. */
    String phrase() {
        return phrase;
    }
}

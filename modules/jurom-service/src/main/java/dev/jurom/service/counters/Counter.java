// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.counters;

import static dev.jurom.service.counters.CounterKind.DAEMON;
import static dev.jurom.service.counters.CounterKind.HOST;
import static dev.jurom.service.counters.CounterKind.WORKER;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A counter: its kind, its index among the values of a file, and its description. */
public enum Counter {

    /** Commands that the worker has received and not answered. */
    WORKER_IN_FLIGHT(WORKER, 0, "Commands that have not been answered", true),
    /** Commands that the worker has answered, with or without an error. */
    WORKER_ANSWERS(WORKER, 1, "Commands that have been answered"),
    /** Bytes of commands, including a header of 24 bytes each. */
    WORKER_BYTES_IN(WORKER, 2, "Bytes of commands, including a header of 24 bytes each"),
    /** Bytes of answers, including a header of 24 bytes each. */
    WORKER_BYTES_OUT(WORKER, 3, "Bytes of answers, including a header of 24 bytes each"),
    /** Answers with an error. */
    WORKER_ERRORS(WORKER, 4, "Answers with an error"),
    /** Commands that their plugin has deferred. */
    WORKER_WAITING(WORKER, 8, "Commands that their plugin has deferred", true),
    /** Commands that were passed to no plugin. */
    WORKER_REFUSED(WORKER, 9, "Commands that were passed to no plugin: too many, or no such plugin"),
    /** Commands whose host disconnected before they were answered. */
    WORKER_ABANDONED(WORKER, 10, "Commands whose host disconnected before they were answered"),
    /** Notifications of plugins for which no command waited. */
    WORKER_DROPPED(WORKER, 11, "Notifications of plugins for which no command waited"),
    /** Hosts that are connected now. */
    WORKER_HOSTS(WORKER, 12, "Hosts that are connected", true),
    /** Hosts that have connected. */
    WORKER_HOSTS_IN_ALL(WORKER, 13, "Hosts that have connected"),

    /** Commands that the host has submitted. */
    HOST_COMMANDS(HOST, 0, "Commands that have been submitted"),
    /** Commands that have completed, with or without an error. */
    HOST_COMPLETIONS(HOST, 1, "Commands that have completed"),
    /** Commands that have completed with an error. */
    HOST_ERRORS(HOST, 4, "Commands that have completed with an error"),
    /** Commands that had to wait for space in the queue to the worker. */
    HOST_HELD_BACK(HOST, 8, "Commands that had to wait for space in the queue to the worker"),
    /** Commands that were rejected because all tasks were in use. */
    HOST_NO_TASK(HOST, 9, "Commands rejected because all tasks were in use"),
    /** Submissions that failed. */
    HOST_NOT_SENT(HOST, 10, "Commands that were submitted but could not be sent"),
    /** Workers that the host is connected to now. */
    HOST_WORKERS(HOST, 11, "Workers that are connected", true),
    /** Workers that the host has lost. */
    HOST_WORKERS_LOST(HOST, 12, "Workers that were lost"),

    /** Hosts that are connected to the service now. */
    DAEMON_SESSIONS(DAEMON, 0, "Sessions of hosts", true),
    /** Hosts that have connected to the service. */
    DAEMON_SESSIONS_IN_ALL(DAEMON, 1, "Sessions of hosts that have begun"),
    /** Workers that run now. */
    DAEMON_WORKERS_RUNNING(DAEMON, 2, "Worker processes", true),
    /** Workers that have become ready. */
    DAEMON_WORKERS_STARTED(DAEMON, 3, "Workers that have become ready"),
    /** Worker processes that have ended. */
    DAEMON_WORKERS_ENDED(DAEMON, 4, "Worker processes that have ended"),
    /** Worker processes that were terminated by a signal. */
    DAEMON_WORKERS_KILLED(DAEMON, 5, "Worker processes that were terminated by a signal"),
    /** Requests and connections that were rejected. */
    DAEMON_REFUSED(DAEMON, 6, "Requests and connections that were rejected"),
    /** Requests and connections that were rejected because a limit was reached. */
    DAEMON_LIMITS_HIT(DAEMON, 7, "Requests and connections that were rejected because a limit was reached"),
    /** Connections that did not authenticate, or that are not permitted. */
    DAEMON_AUTHENTICATION_FAILURES(DAEMON, 8, "Connections that did not authenticate"),
    /** Checks of workers that found a ping unanswered for a second or more. */
    DAEMON_HEARTBEATS_MISSED(DAEMON, 9, "Seconds during which workers did not answer a ping"),
    /** Failed attempts to accept a connection, usually for lack of a file descriptor. */
    DAEMON_NOT_ACCEPTED(DAEMON, 10, "Failed attempts to accept a connection"),
    /** Commands that were answered by workers that have ended. */
    DAEMON_ENDED_ANSWERS(DAEMON, 11, "Commands answered by workers that have ended"),
    /** Bytes of commands of workers that have ended. */
    DAEMON_ENDED_BYTES_IN(DAEMON, 12, "Bytes of commands of workers that have ended"),
    /** Bytes of answers of workers that have ended. */
    DAEMON_ENDED_BYTES_OUT(DAEMON, 13, "Bytes of answers of workers that have ended"),
    /** Answers with an error of workers that have ended. */
    DAEMON_ENDED_ERRORS(DAEMON, 14, "Answers with an error of workers that have ended"),
    /** Commands that were rejected by workers that have ended. */
    DAEMON_ENDED_REFUSED(DAEMON, 15, "Commands rejected by workers that have ended"),
    /** Commands whose host disconnected before workers that have ended answered them. */
    DAEMON_ENDED_ABANDONED(
            DAEMON, 16, "Commands of workers that have ended whose host disconnected before they were answered"),
    /** Maximum number of worker processes. */
    DAEMON_WORKERS_LIMIT(DAEMON, 17, "Maximum number of worker processes", true),
    /** Maximum number of worker processes of a user. */
    DAEMON_WORKERS_PER_USER_LIMIT(DAEMON, 18, "Maximum number of worker processes of a user", true),
    /** Maximum number of connected hosts. */
    DAEMON_SESSIONS_LIMIT(DAEMON, 19, "Maximum number of sessions of hosts", true),
    /** Maximum number of connected hosts of a user. */
    DAEMON_SESSIONS_PER_USER_LIMIT(DAEMON, 20, "Maximum number of sessions of a user's hosts", true),
    /** Java heap in use, sampled once a second. */
    DAEMON_HEAP_BYTES(DAEMON, 21, "Used Java heap of the service process, in bytes", true),
    /** Maximum Java heap. */
    DAEMON_HEAP_LIMIT_BYTES(DAEMON, 22, "Maximum Java heap of the service process, in bytes", true),
    /** Sockets of the service that had been removed and at which it listens again. */
    DAEMON_SOCKETS_RESTORED(DAEMON, 23, "Sockets that had been removed and were created again");

    private final CounterKind kind;
    private final int index;
    private final String text;
    private final boolean gauge;

    Counter(CounterKind kind, int index, String text) {
        this(kind, index, text, false);
    }

    Counter(CounterKind kind, int index, String text, boolean gauge) {
        this.kind = kind;
        this.index = index;
        this.text = text;
        this.gauge = gauge;
    }

    /**
     * Returns the counters of a kind of process.
     *
     * @param kind the kind of process
     * @return the counters, in the order of the documentation
     */
    public static List<Counter> of(CounterKind kind) {
        return Stream.of(values()).filter(counter -> counter.kind == kind).toList();
    }

    /**
     * Returns the kind of process that writes this counter.
     *
     * @return the kind
     */
    public CounterKind kind() {
        return kind;
    }

    int index() {
        return index;
    }

    /**
     * Returns the description.
     *
     * @return a phrase for users
     */
    public String text() {
        return text;
    }

    /**
     * Returns whether this is a gauge.
     *
     * @return true for a current value, false for a total that only increases
     */
    public boolean isGauge() {
        return gauge;
    }

    /**
     * Returns the name without the kind.
     *
     * @return for example {@code bytes_in}
     */
    public String shortName() {
        return name().substring(kind.name().length() + 1).toLowerCase(Locale.ROOT);
    }
}

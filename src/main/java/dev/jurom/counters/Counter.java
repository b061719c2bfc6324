// SPDX-License-Identifier: Apache-2.0
package dev.jurom.counters;

import static dev.jurom.counters.CounterKind.DAEMON;
import static dev.jurom.counters.CounterKind.HOST;
import static dev.jurom.counters.CounterKind.WORKER;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What is counted: its place among the values of a file, and what it means. */
public enum Counter {

    /** Commands that the worker has taken and not answered, now. */
    WORKER_IN_FLIGHT(WORKER, 0, "Commands that have not been answered, now", true),
    /** Commands that it has answered, with an error too. */
    WORKER_ANSWERS(WORKER, 1, "Commands that have been answered"),
    /** Bytes of commands, with a header of 24 each. */
    WORKER_BYTES_IN(WORKER, 2, "Bytes of commands, with a header of 24 each"),
    /** Bytes of answers, with a header of 24 each. */
    WORKER_BYTES_OUT(WORKER, 3, "Bytes of answers, with a header of 24 each"),
    /** Answers that were errors. */
    WORKER_ERRORS(WORKER, 4, "Answers that were errors"),
    /** Commands that their plugin has left for later, now. */
    WORKER_WAITING(WORKER, 8, "Commands that their plugin has left for later, now", true),
    /** Commands that no plugin was given. */
    WORKER_REFUSED(WORKER, 9, "Commands that no plugin was given: too many, no such plugin"),
    /** Commands whose host left before they were answered. */
    WORKER_ABANDONED(WORKER, 10, "Commands whose host left before they were answered"),
    /** What plugins said for which no command waited. */
    WORKER_DROPPED(WORKER, 11, "Notifications of plugins for which no command waited"),
    /** Hosts that are connected now. */
    WORKER_HOSTS(WORKER, 12, "Hosts that are connected, now", true),
    /** Hosts that have connected. */
    WORKER_HOSTS_IN_ALL(WORKER, 13, "Hosts that have connected"),

    /** Commands that the host has submitted. */
    HOST_COMMANDS(HOST, 0, "Commands that have been submitted"),
    /** Of those, how many have completed. */
    HOST_COMPLETIONS(HOST, 1, "Commands that have completed"),
    /** Commands that have completed with an error. */
    HOST_ERRORS(HOST, 4, "Commands that have completed with an error"),
    /** Commands that waited for room on their way to the worker. */
    HOST_HELD_BACK(HOST, 8, "Commands that waited for room on their way to the worker"),
    /** Tasks that were not to be had since all were in use. */
    HOST_NO_TASK(HOST, 9, "Commands refused because all tasks were in use"),
    /** Submissions that failed. */
    HOST_NOT_SENT(HOST, 10, "Commands that were submitted and could not be sent"),
    /** Workers that the host is connected to now. */
    HOST_WORKERS(HOST, 11, "Workers that are connected, now", true),
    /** Workers that the host has lost. */
    HOST_WORKERS_LOST(HOST, 12, "Workers that were lost"),

    /** Hosts that are connected to the service now. */
    DAEMON_SESSIONS(DAEMON, 0, "Sessions of hosts, now", true),
    /** Hosts that have connected to the service. */
    DAEMON_SESSIONS_IN_ALL(DAEMON, 1, "Sessions of hosts that have begun"),
    /** Workers that run now. */
    DAEMON_WORKERS_RUNNING(DAEMON, 2, "Worker processes, now", true),
    /** Workers that have become ready. */
    DAEMON_WORKERS_STARTED(DAEMON, 3, "Workers that have become ready"),
    /** Worker processes that have ended. */
    DAEMON_WORKERS_ENDED(DAEMON, 4, "Worker processes that have ended"),
    /** Of those, how many by a signal. */
    DAEMON_WORKERS_KILLED(DAEMON, 5, "Worker processes that were ended by a signal"),
    /** Requests and connections that were refused. */
    DAEMON_REFUSED(DAEMON, 6, "Requests and connections that were refused"),
    /** Of those, how many because a limit was reached. */
    DAEMON_LIMITS_HIT(DAEMON, 7, "Refusals because a limit was reached"),
    /** Connections of which it was not shown whose they are, or that may not be. */
    DAEMON_AUTHENTICATION_FAILURES(DAEMON, 8, "Connections that did not show who they are"),
    /** Looks at a worker that owed an answer for a second and more. */
    DAEMON_HEARTBEATS_MISSED(DAEMON, 9, "Seconds that workers owed an answer to a ping"),
    /** Attempts to accept a connection that failed, most of them for want of a descriptor. */
    DAEMON_NOT_ACCEPTED(DAEMON, 10, "Failed attempts to accept a connection"),
    /** Commands that workers had answered when they ended. */
    DAEMON_ENDED_ANSWERS(DAEMON, 11, "Commands answered by workers that have ended"),
    /** Bytes of commands of workers that have ended. */
    DAEMON_ENDED_BYTES_IN(DAEMON, 12, "Bytes of commands of workers that have ended"),
    /** Bytes of answers of workers that have ended. */
    DAEMON_ENDED_BYTES_OUT(DAEMON, 13, "Bytes of answers of workers that have ended"),
    /** Answers of workers that have ended that were errors. */
    DAEMON_ENDED_ERRORS(DAEMON, 14, "Answers of workers that have ended that were errors"),
    /** Commands that workers which have ended refused. */
    DAEMON_ENDED_REFUSED(DAEMON, 15, "Commands refused by workers that have ended"),
    /** Commands that workers which have ended did not answer before their host left. */
    DAEMON_ENDED_ABANDONED(DAEMON, 16, "Commands of workers that have ended whose host left before they were answered"),
    /** Worker processes that may run at a time. */
    DAEMON_WORKERS_LIMIT(DAEMON, 17, "Maximum number of worker processes", true),
    /** Of those, how many may run as one user. */
    DAEMON_WORKERS_PER_USER_LIMIT(DAEMON, 18, "Maximum number of worker processes of a user", true),
    /** Hosts that may be connected at a time. */
    DAEMON_SESSIONS_LIMIT(DAEMON, 19, "Maximum number of sessions of hosts", true),
    /** Of those, how many may be of one user. */
    DAEMON_SESSIONS_PER_USER_LIMIT(DAEMON, 20, "Maximum number of sessions of a user's hosts", true),
    /** Java heap in use, sampled once a second. */
    DAEMON_HEAP_BYTES(DAEMON, 21, "Java heap of the service's process in use, in bytes", true),
    /** Java heap that may be in use. */
    DAEMON_HEAP_LIMIT_BYTES(DAEMON, 22, "Maximum Java heap of the service's process, in bytes", true);

    private final CounterKind kind;
    private final int place;
    private final String text;
    private final boolean level;

    Counter(CounterKind kind, int place, String text) {
        this(kind, place, text, false);
    }

    Counter(CounterKind kind, int place, String text, boolean level) {
        this.kind = kind;
        this.place = place;
        this.text = text;
        this.level = level;
    }

    /**
     * Those that are counted by one kind.
     *
     * @param kind who counts
     * @return in the order of the documentation
     */
    public static List<Counter> of(CounterKind kind) {
        return Stream.of(values()).filter(counter -> counter.kind == kind).toList();
    }

    /**
     * Who counts it.
     *
     * @return the kind of file that it is in
     */
    public CounterKind kind() {
        return kind;
    }

    int place() {
        return place;
    }

    /**
     * What it means.
     *
     * @return a phrase for people
     */
    public String text() {
        return text;
    }

    /**
     * Whether it goes down too.
     *
     * @return true for how many there are now, false for how many there have been
     */
    public boolean isLevel() {
        return level;
    }

    /**
     * Its name without who counts it.
     *
     * @return as {@code bytes_in}
     */
    public String shortName() {
        return name().substring(kind.name().length() + 1).toLowerCase(Locale.ROOT);
    }
}

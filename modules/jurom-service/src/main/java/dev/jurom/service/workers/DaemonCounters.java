// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.core.DocaError;
import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterDirectory;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.counters.CounterKind;
import dev.jurom.service.counters.CounterWriter;
import dev.jurom.service.counters.ServiceError;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The counters of the service, in a file in its directory that other processes read (docs/counters.md). This
 * class is thread-safe; its methods do not block for long.
 */
public final class DaemonCounters {

    /** Time between two runs of {@link #sweep}. */
    public static final Duration SWEEP = Duration.ofSeconds(1);

    private static final int SIGNALLED = 128; // an exit status above this means a signal
    /** Maximum plausible value of a worker's counter. */
    private static final long MOST = 1L << 50;

    private static final Map<Counter, Counter> TOTALS = Map.of(
            Counter.WORKER_ANSWERS, Counter.DAEMON_ENDED_ANSWERS,
            Counter.WORKER_BYTES_IN, Counter.DAEMON_ENDED_BYTES_IN,
            Counter.WORKER_BYTES_OUT, Counter.DAEMON_ENDED_BYTES_OUT,
            Counter.WORKER_ERRORS, Counter.DAEMON_ENDED_ERRORS,
            Counter.WORKER_REFUSED, Counter.DAEMON_ENDED_REFUSED,
            Counter.WORKER_ABANDONED, Counter.DAEMON_ENDED_ABANDONED);
    private static final String NAME = "daemon" + CounterDirectory.ENDING;

    private final Supplier<Path> directory;
    private final ServiceLog log;
    private final CounterWriter writer;

    /**
     * Creates the file. If that fails, such as on a full disk, the service counts without it.
     *
     * @param directory returns the directory of the service
     * @param log receives a warning about such a failure
     */
    public DaemonCounters(Supplier<Path> directory, ServiceLog log) {
        this.directory = directory;
        this.log = log;
        this.writer = writer(directory.get().resolve(NAME), log);
    }

    /** Creates the file. If that fails, such as on a full disk, the service counts without it. */
    private static CounterWriter writer(Path path, ServiceLog log) {
        try {
            return CounterWriter.create(path, CounterKind.DAEMON);
        } catch (IOException e) {
            log.warning("The counters of the service are not readable by other processes: " + e.getMessage());
            return CounterWriter.unread(CounterKind.DAEMON);
        }
    }

    /**
     * Publishes the limits and the addresses when the service listens.
     *
     * @param addresses the addresses, separated by spaces
     * @param limits the limits of the service
     */
    public void begin(String addresses, Limits limits) {
        writer.set(Counter.DAEMON_WORKERS_LIMIT, limits.workers());
        writer.set(Counter.DAEMON_WORKERS_PER_USER_LIMIT, limits.workersPerUser());
        writer.set(Counter.DAEMON_SESSIONS_LIMIT, limits.connections());
        writer.set(Counter.DAEMON_SESSIONS_PER_USER_LIMIT, limits.connectionsPerUser());
        writer.set(Counter.DAEMON_HEAP_LIMIT_BYTES, Runtime.getRuntime().maxMemory());
        sampleHeap();
        writer.label(addresses);
    }

    private void sampleHeap() {
        var runtime = Runtime.getRuntime();
        writer.set(Counter.DAEMON_HEAP_BYTES, runtime.totalMemory() - runtime.freeMemory());
    }

    /** Counts a session that begins. */
    public void sessionBegins() {
        writer.add(Counter.DAEMON_SESSIONS, 1);
        writer.add(Counter.DAEMON_SESSIONS_IN_ALL, 1);
    }

    /** Counts a session that ends. */
    public void sessionEnds() {
        writer.add(Counter.DAEMON_SESSIONS, -1);
    }

    /** Counts a socket that had been removed and was created again. */
    public void socketRestored() {
        writer.add(Counter.DAEMON_SOCKETS_RESTORED, 1);
    }

    /** Creates the file again, with the same values, after it has been removed. */
    public void restore() {
        try {
            writer.continueIn(directory.get().resolve(NAME));
        } catch (IOException e) {
            log.warning("The counters of the service are no longer readable by other processes: " + e.getMessage());
        }
    }

    /** Counts a failed attempt to accept a connection. */
    public void notAccepted() {
        writer.add(Counter.DAEMON_NOT_ACCEPTED, 1);
    }

    /**
     * Counts a request or a connection that is refused.
     *
     * @param error the error that the host receives
     */
    public void refused(DocaError error) {
        writer.add(Counter.DAEMON_REFUSED, 1);
        if (error == DocaError.FULL) {
            writer.add(Counter.DAEMON_LIMITS_HIT, 1);
        } else if (error == DocaError.NOT_PERMITTED) {
            writer.add(Counter.DAEMON_AUTHENTICATION_FAILURES, 1);
        }
        writer.error(
                switch (error) {
                    case FULL -> ServiceError.LIMIT;
                    case NOT_PERMITTED -> ServiceError.NOT_PERMITTED;
                    case UNSUPPORTED_VERSION -> ServiceError.UNSUPPORTED_VERSION;
                    case BAD_STATE -> ServiceError.BAD_STATE;
                    case TOO_BIG -> ServiceError.TOO_BIG;
                    case INVALID_VALUE -> ServiceError.INVALID_VALUE;
                    case ALREADY_EXIST -> ServiceError.ALREADY_EXIST;
                    case NOT_FOUND -> ServiceError.NOT_FOUND;
                    case CONNECTION_RESET -> ServiceError.CONNECTION_RESET;
                    case TIME_OUT -> ServiceError.TIME_OUT;
                    case SHUTDOWN -> ServiceError.SHUTDOWN;
                    default -> ServiceError.OTHER;
                });
    }

    /** Counts a session that the service ends because its host does not send or read in time. */
    public void disconnected() {
        writer.add(Counter.DAEMON_REFUSED, 1);
        writer.error(ServiceError.DISCONNECTED);
    }

    /** Counts a connection that ends without having authenticated. */
    public void unidentified() {
        writer.add(Counter.DAEMON_AUTHENTICATION_FAILURES, 1);
        writer.error(ServiceError.UNIDENTIFIED);
    }

    void workerBegins() {
        writer.add(Counter.DAEMON_WORKERS_RUNNING, 1);
    }

    void workerIsReady() {
        writer.add(Counter.DAEMON_WORKERS_STARTED, 1);
    }

    void workerDidNotStart() {
        writer.error(ServiceError.WORKER_NOT_STARTED);
    }

    void workerEnds(WorkerEnd end) {
        writer.add(Counter.DAEMON_WORKERS_RUNNING, -1);
        writer.add(Counter.DAEMON_WORKERS_ENDED, 1);
        if (end.exitStatus() > SIGNALLED) {
            writer.add(Counter.DAEMON_WORKERS_KILLED, 1);
            writer.error(ServiceError.WORKER_KILLED);
        }
    }

    /** Adds the counters of a worker that has ended, which are untrusted. */
    void workerCounted(CounterFile counted) {
        TOTALS.forEach((ofWorker, total) -> writer.add(total, Math.clamp(counted.value(ofWorker), 0, MOST)));
    }

    void heartbeatMissed() {
        writer.add(Counter.DAEMON_HEARTBEATS_MISSED, 1);
    }

    /** Samples the heap size, and removes the files of killed hosts. */
    public void sweep() {
        sampleHeap();
        try {
            CounterDirectory.sweepHosts(directory.get());
        } catch (IOException e) {
            log.debug(() -> "The counters of ended hosts cannot be removed: " + e.getMessage());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.service.counters.Counter;
import dev.jurom.service.counters.CounterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Checks the counters of a service: after all hosts have exited it has no sessions and no workers, and no run
 * hits a limit.
 */
final class ServiceCountersCheck {

    /** The name of the counters of a service in its directory. */
    static final String COUNTERS = "daemon.counters";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 1_000_000;

    private final Path file;
    private final long limitsHit;

    private ServiceCountersCheck(Path file) throws IOException {
        this.file = file;
        limitsHit = CounterFile.read(file).value(Counter.DAEMON_LIMITS_HIT);
    }

    /** Records the current values of monotonic counters. */
    static ServiceCountersCheck before(RunProcesses processes) throws IOException {
        var directory = Leftovers.serviceDirectory(processes).stream()
                .findFirst()
                .orElseThrow(() -> new IOException("the directory of the service was not found"));
        return new ServiceCountersCheck(directory.resolve(COUNTERS));
    }

    /**
     * Returns the violations, after waiting for the counters to decrease.
     *
     * @param nudge executed before each further check
     */
    List<String> find(Runnable nudge) {
        var end = System.nanoTime() + TIMEOUT.toNanos();
        var found = check();
        while (!found.isEmpty() && System.nanoTime() - end < 0) {
            nudge.run();
            LockSupport.parkNanos(PAUSE_NANOS);
            found = check();
        }
        return found;
    }

    private List<String> check() {
        var found = new ArrayList<String>();
        try {
            var counters = CounterFile.read(file);
            requireNone(counters.value(Counter.DAEMON_SESSIONS), "sessions", found);
            requireNone(counters.value(Counter.DAEMON_WORKERS_RUNNING), "workers", found);
            requireNone(counters.value(Counter.DAEMON_LIMITS_HIT) - limitsHit, "rejections due to limits", found);
        } catch (IOException e) {
            found.add("cannot read the counters of the service: " + e.getMessage());
        }
        return found;
    }

    private static void requireNone(long count, String what, List<String> found) {
        if (count != 0) {
            found.add("the service counts " + count + " " + what);
        }
    }
}

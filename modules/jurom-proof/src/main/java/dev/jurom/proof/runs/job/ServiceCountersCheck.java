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
 * Checks the counters of a service: after all hosts have exited, the service must have no sessions and no
 * workers, and it must not have rejected a host because of a limit.
 */
final class ServiceCountersCheck {

    /** The name of the counters file in the directory of a service. */
    static final String COUNTERS = "daemon.counters";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 1_000_000;

    private final Path file;
    private final long limitsHit;

    private ServiceCountersCheck(Path file) throws IOException {
        this.file = file;
        limitsHit = CounterFile.read(file).value(Counter.DAEMON_LIMITS_HIT);
    }

    /** Returns a check with the current values of monotonic counters. */
    static ServiceCountersCheck before(RunProcesses processes) throws IOException {
        var directory = Leftovers.serviceDirectory(processes).stream()
                .findFirst()
                .orElseThrow(() -> new IOException("the directory of the service was not found"));
        return new ServiceCountersCheck(directory.resolve(COUNTERS));
    }

    /**
     * Returns the violations. Waits at most ten seconds for the counters to decrease.
     *
     * @param nudge an action to execute before each repeated check
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

    private static void requireNone(long count, String kind, List<String> found) {
        if (count != 0) {
            found.add("the counters of the service show " + count + " " + kind);
        }
    }
}

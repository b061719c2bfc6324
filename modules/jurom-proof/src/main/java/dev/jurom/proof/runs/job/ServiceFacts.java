// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.runs.job;

import dev.jurom.counters.Counter;
import dev.jurom.counters.CounterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What a service counts, and so says of itself: when all hosts have gone it has neither sessions nor
 * workers, and no run asks for more than it allows.
 */
final class ServiceFacts {

    private static final String COUNTERS = "daemon.counters";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 1_000_000;

    private final Path file;
    private final long limitsHit;

    private ServiceFacts(Path file) throws IOException {
        this.file = file;
        limitsHit = CounterFile.read(file).value(Counter.DAEMON_LIMITS_HIT);
    }

    /** Remembers what is counted now of what does not go back. */
    static ServiceFacts before(Crew crew) throws IOException {
        var directory = LeftOvers.serviceDirectory(crew).stream()
                .findFirst()
                .orElseThrow(() -> new IOException("the service has no directory"));
        return new ServiceFacts(directory.resolve(COUNTERS));
    }

    /**
     * What it still counts when it had time to see that nobody is there.
     *
     * @param nudge done before each further look
     */
    List<String> find(Runnable nudge) {
        var end = System.nanoTime() + PATIENCE.toNanos();
        var found = look();
        while (!found.isEmpty() && System.nanoTime() - end < 0) {
            nudge.run();
            LockSupport.parkNanos(PAUSE_NANOS);
            found = look();
        }
        return found;
    }

    private List<String> look() {
        var found = new ArrayList<String>();
        try {
            var counters = CounterFile.read(file);
            requireNone(counters.value(Counter.DAEMON_SESSIONS), "sessions of hosts", found);
            requireNone(counters.value(Counter.DAEMON_WORKERS_RUNNING), "workers", found);
            requireNone(counters.value(Counter.DAEMON_LIMITS_HIT) - limitsHit, "refusals for its limits", found);
        } catch (IOException e) {
            found.add("what the service counts cannot be read: " + e.getMessage());
        }
        return found;
    }

    private static void requireNone(long count, String what, List<String> found) {
        if (count != 0) {
            found.add("the service counts " + count + " " + what);
        }
    }
}

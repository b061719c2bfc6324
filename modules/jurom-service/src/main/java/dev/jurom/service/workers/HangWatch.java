// SPDX-License-Identifier: Apache-2.0
package dev.jurom.service.workers;

import dev.jurom.runtime.LogLevel;
import dev.jurom.service.counters.CounterFile;
import dev.jurom.service.logs.PeerCause;
import dev.jurom.service.logs.ServiceLog;
import dev.jurom.service.settings.WorkerSettings;
import dev.jurom.service.threads.Timers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Periodically checks that workers answer, and kills a worker that does not answer in time, unless it is
 * stopped by a debugger or a plugin has announced a longer callback. Runs on the thread of the timers. After this
 * process itself was stopped for a while, all times restart, because it could not receive answers.
 */
public final class HangWatch {

    private static final Duration MAX_TICK = Duration.ofSeconds(1);
    private static final Duration REPORT_AFTER = Duration.ofSeconds(10);
    private static final int PINGS_PER_TIMEOUT = 10;
    private static final int MAX_TEXT = 4096;
    private static final int TICKS_PER_TIMEOUT = 4; // if the time-out is short

    private final Duration timeout;
    private final Duration busyTimeout;
    private final Duration pause;
    private final Duration tick;
    private final Supplier<Collection<SpawnedWorker>> workers;
    private final ServiceLog log;
    private final DaemonCounters counters;
    private long lastTick = System.nanoTime();

    private HangWatch(
            WorkerSettings settings,
            Supplier<Collection<SpawnedWorker>> workers,
            ServiceLog log,
            DaemonCounters counters) {
        this.timeout = settings.hangTimeout();
        this.busyTimeout = settings.busyTimeout();
        this.tick = min(MAX_TICK, timeout.dividedBy(TICKS_PER_TIMEOUT));
        this.pause = max(tick, timeout.dividedBy(PINGS_PER_TIMEOUT));
        this.workers = workers;
        this.log = log;
        this.counters = counters;
    }

    /**
     * Starts to check workers, until the timers are closed.
     *
     * @param settings the maximum times until a worker answers; zero disables the checks
     * @param workers returns the workers to check
     * @param timers runs the checks
     * @param log receives the reasons why workers are killed
     * @param counters counts missed answers
     */
    public static void start(
            WorkerSettings settings,
            Supplier<Collection<SpawnedWorker>> workers,
            Timers timers,
            ServiceLog log,
            DaemonCounters counters) {
        if (!settings.hangTimeout().isZero()) {
            var watch = new HangWatch(settings, workers, log, counters);
            timers.every(watch.tick, watch::check);
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private void check() {
        var now = System.nanoTime();
        var stopped = now - lastTick > 2 * tick.toNanos();
        lastTick = now;
        for (var worker : workers.get()) {
            if (stopped) {
                worker.heartbeat().restart();
            } else {
                check(worker);
            }
        }
    }

    private void check(SpawnedWorker worker) {
        var ping = worker.heartbeat().nextPing(pause);
        if (ping != null) {
            worker.process().send(ping, () -> {});
            return;
        }
        var pending = worker.heartbeat().pendingTime();
        if (pending.compareTo(MAX_TICK) >= 0) {
            counters.heartbeatMissed();
        }
        if (pending.compareTo(min(REPORT_AFTER, timeout)) < 0) {
            return;
        }
        if (isTraced(worker)) {
            worker.heartbeat().restart();
            return;
        }
        if (pending.compareTo(busyTimeout) < 0 && isBusy(worker)) {
            return;
        }
        if (worker.heartbeat().reportOnce()) {
            log.caused(
                    PeerCause.WORKER,
                    worker.domain().toString(),
                    LogLevel.WARNING,
                    worker + " has not answered for " + seconds(pending) + ": " + stateOf(worker));
        }
        if (pending.compareTo(timeout) >= 0) {
            worker.process()
                    .killUnresponsive("did not answer for " + seconds(timeout) + " (--hang-timeout) while it ran "
                            + callbackOf(worker));
        }
    }

    private static String seconds(Duration time) {
        return time.toMillis() < 10_000 && time.toMillis() % 1000 != 0
                ? time.toMillis() + " ms"
                : time.toSeconds() + " s";
    }

    private static boolean isTraced(SpawnedWorker worker) {
        return lineOf(worker, "status", "TracerPid:")
                .map(text -> !text.equals("0"))
                .orElse(false);
    }

    /** Describes a worker that does not answer, from its state in the kernel. */
    private static String stateOf(SpawnedWorker worker) {
        return "process " + worker.process().id() + " is in state "
                + lineOf(worker, "status", "State:").orElse("unknown") + ", in the kernel function "
                + lineOf(worker, "wchan", "").filter(text -> !text.equals("0")).orElse("(none reported)")
                + ", and runs "
                + callbackOf(worker);
    }

    /** Returns whether a plugin has announced that its running callback may still take time. */
    private static boolean isBusy(SpawnedWorker worker) {
        return worker.process()
                .counters()
                .map(CounterFile::busyFor)
                .filter(Duration::isPositive)
                .isPresent();
    }

    /** Describes the plugin callback that the worker is executing, from its counters. */
    private static String callbackOf(SpawnedWorker worker) {
        return worker.process().counters().map(CounterFile::callback).orElse("an unknown callback");
    }

    private static Optional<String> lineOf(SpawnedWorker worker, String file, String name) {
        return textOf(worker, file).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(name))
                .map(line -> line.substring(name.length()).strip())
                .findFirst();
    }

    private static Optional<String> textOf(SpawnedWorker worker, String file) {
        var path = Path.of("/proc", Integer.toString(worker.process().id()), file);
        try (var stream = Files.newInputStream(path)) {
            return Optional.of(new String(stream.readNBytes(MAX_TEXT), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty(); // the worker has ended
        }
    }
}

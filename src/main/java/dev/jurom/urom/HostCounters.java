// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.abi.doca.jurom_urom_counters;
import dev.jurom.runtime.internal.LatencyHistogram;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counters of this process for its connection to a service, since it connected. One of 128
 * commands is timed. Stands for {@code struct jurom_urom_counters}.
 *
 * <p>This class is immutable.
 */
public final class HostCounters {

    private static final double MEDIAN = 50;
    private static final double PERCENTILE_99 = 99;

    private final long submitted;
    private final long completed;
    private final long failed;
    private final long inFlight;
    private final long heldBack;
    private final long refused;
    private final long workers;
    private final long workersLost;
    private final long timed;
    private final Duration p50;
    private final Duration p99;
    private final Duration longest;

    private HostCounters(MemorySegment counters) {
        var ticks = jurom_urom_counters.ticks_per_second(counters);
        var times = new LatencyHistogram(
                jurom_urom_counters.histogram(counters).toArray(ValueLayout.JAVA_LONG),
                Math.max(1, ticks)); // 0 before the first event
        submitted = jurom_urom_counters.submitted(counters);
        completed = jurom_urom_counters.completed(counters);
        failed = jurom_urom_counters.failed(counters);
        inFlight = jurom_urom_counters.in_flight(counters);
        heldBack = jurom_urom_counters.held_back(counters);
        refused = jurom_urom_counters.refused(counters);
        workers = jurom_urom_counters.workers(counters);
        workersLost = jurom_urom_counters.workers_lost(counters);
        timed = times.count();
        p50 = Duration.ofNanos(times.percentile(MEDIAN));
        p99 = Duration.ofNanos(times.percentile(PERCENTILE_99));
        longest = Duration.ofNanos(times.longest());
    }

    static HostCounters of(MemorySegment counters) {
        return new HostCounters(counters);
    }

    /**
     * Returns the number of commands that were submitted.
     *
     * @return 0 or more
     */
    public long submitted() {
        return submitted;
    }

    /**
     * Returns the number of commands that have completed, with or without an error.
     *
     * @return 0 or more
     */
    public long completed() {
        return completed;
    }

    /**
     * Returns the number of commands that have completed with an error.
     *
     * @return 0 or more
     */
    public long failed() {
        return failed;
    }

    /**
     * Returns the number of commands that are in flight now.
     *
     * @return 0 or more
     */
    public long inFlight() {
        return inFlight;
    }

    /**
     * Returns the number of commands that had to wait for space in the queue to the worker.
     *
     * @return 0 or more
     */
    public long heldBack() {
        return heldBack;
    }

    /**
     * Returns the number of commands that could not be submitted, or for which no task was
     * available.
     *
     * @return 0 or more
     */
    public long refused() {
        return refused;
    }

    /**
     * Returns the number of workers that are connected now.
     *
     * @return 0 or more
     */
    public long workers() {
        return workers;
    }

    /**
     * Returns the number of workers that were lost.
     *
     * @return 0 or more
     */
    public long workersLost() {
        return workersLost;
    }

    /**
     * Returns the number of commands that were timed.
     *
     * @return 0 or more
     */
    public long timed() {
        return timed;
    }

    /**
     * Returns the median of the times from submission to completion.
     *
     * @return the time; zero if no command was timed
     */
    public Duration p50() {
        return p50;
    }

    /**
     * Returns the 99th percentile of the times from submission to completion.
     *
     * @return the time; zero if no command was timed
     */
    public Duration p99() {
        return p99;
    }

    /**
     * Returns the longest time from submission to completion.
     *
     * @return the time; zero if no command was timed
     */
    public Duration longest() {
        return longest;
    }

    private List<Object> values() {
        return List.of(
                submitted,
                completed,
                failed,
                inFlight,
                heldBack,
                refused,
                workers,
                workersLost,
                timed,
                p50,
                p99,
                longest);
    }

    @Override
    @SuppressWarnings("exports") // callers do not need the annotation
    public boolean equals(@Nullable Object other) {
        return other instanceof HostCounters that && values().equals(that.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        return "HostCounters[submitted=" + submitted + ", completed=" + completed + ", failed="
                + failed + ", inFlight=" + inFlight + ", heldBack=" + heldBack + ", refused="
                + refused + ", workers=" + workers + ", workersLost=" + workersLost + ", timed="
                + timed + ", p50=" + p50 + ", p99=" + p99 + ", longest=" + longest + "]";
    }
}

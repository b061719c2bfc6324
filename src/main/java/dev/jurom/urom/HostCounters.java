// SPDX-License-Identifier: Apache-2.0
package dev.jurom.urom;

import dev.jurom.abi.doca.jurom_urom_counters;
import dev.jurom.counters.LatencyHistogram;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * What a host has counted on a service, since it connected to it. Of 128 commands one is timed.
 * Stands for {@code struct jurom_urom_counters}.
 *
 * @param submitted commands that were submitted
 * @param completed of those, how many have completed, with an error too
 * @param failed of those, how many with an error
 * @param inFlight commands that have not completed, now
 * @param heldBack commands that waited for room on their way to the worker
 * @param refused commands that could not be submitted, or for which there was no task
 * @param workers workers that are connected, now
 * @param workersLost workers that were lost
 * @param timed how many commands were timed
 * @param p50 the time from submission to completion that half of them did not exceed; zero if none
 *        was timed
 * @param p99 the time that 99 of 100 did not exceed
 * @param longest the time that none exceeded
 */
public record HostCounters(long submitted, long completed, long failed, long inFlight,
        long heldBack, long refused, long workers, long workersLost, long timed, Duration p50,
        Duration p99, Duration longest) {

    private static final double MEDIAN = 50;
    private static final double NEARLY_ALL = 99;

    static HostCounters of(MemorySegment counters) {
        var ticks = jurom_urom_counters.ticks_per_second(counters);
        var times = new LatencyHistogram(jurom_urom_counters.histogram(counters)
                .toArray(ValueLayout.JAVA_LONG), Math.max(1, ticks)); // 0: nothing was counted yet
        return new HostCounters(jurom_urom_counters.submitted(counters),
                jurom_urom_counters.completed(counters), jurom_urom_counters.failed(counters),
                jurom_urom_counters.in_flight(counters), jurom_urom_counters.held_back(counters),
                jurom_urom_counters.refused(counters), jurom_urom_counters.workers(counters),
                jurom_urom_counters.workers_lost(counters),
                times.count(), Duration.ofNanos(times.percentile(MEDIAN)),
                Duration.ofNanos(times.percentile(NEARLY_ALL)),
                Duration.ofNanos(times.longest()));
    }
}

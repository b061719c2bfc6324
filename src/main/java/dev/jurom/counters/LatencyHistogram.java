// SPDX-License-Identifier: Apache-2.0
package dev.jurom.counters;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * How long the commands took that were timed. Log-linear: the first 8 buckets are one tick wide,
 * each power of two above has 8, so that a time is told to a sixteenth.
 */
public final class LatencyHistogram {

    private static final int BITS = 3;
    private static final int PER_POWER = 1 << BITS;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long[] counts;
    private final long ticksPerSecond;

    /**
     * Takes what was counted.
     *
     * @param counts of each bucket
     * @param ticksPerSecond of the clock by which the buckets are made, above 0
     */
    public LatencyHistogram(long[] counts, long ticksPerSecond) {
        this.counts = counts.clone();
        this.ticksPerSecond = ticksPerSecond;
    }

    /** The shortest time of a bucket, in ticks. */
    static long lowest(int bucket) {
        if (bucket < PER_POWER) {
            return bucket;
        }
        var shift = (bucket >> BITS) - 1;
        return (long) (PER_POWER + (bucket & PER_POWER - 1)) << shift;
    }

    /**
     * How many commands were timed.
     *
     * @return the sum of all buckets
     */
    public long count() {
        return Arrays.stream(counts).sum();
    }

    /**
     * What was counted since.
     *
     * @param earlier the same histogram, as it was before
     * @return the difference; what would be negative is none
     */
    public LatencyHistogram since(LatencyHistogram earlier) {
        var difference = IntStream.range(0, counts.length)
                .mapToLong(i -> Math.max(0, counts[i] - earlier.counts[i]))
                .toArray();
        return new LatencyHistogram(difference, ticksPerSecond);
    }

    /**
     * The time that so many commands did not exceed.
     *
     * @param percent of those that were timed, 0 to 100
     * @return nanoseconds, the middle of their bucket; 0 if none was timed
     */
    public long percentile(double percent) {
        var wanted = Math.max(1, Math.ceil(count() * percent / 100));
        var seen = 0L;
        for (var bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (counts[bucket] > 0 && seen >= wanted) {
                return nanos(lowest(bucket) + (lowest(bucket + 1) - lowest(bucket)) / 2.0);
            }
        }
        return 0;
    }

    /**
     * The time that the longest command did not exceed.
     *
     * @return nanoseconds, the end of its bucket; 0 if none was timed
     */
    public long longest() {
        return IntStream.range(0, counts.length).filter(i -> counts[i] > 0).max().stream()
                .mapToLong(i -> nanos(lowest(i + 1)))
                .findFirst()
                .orElse(0);
    }

    private long nanos(double ticks) {
        return Math.round(ticks / ticksPerSecond * NANOS_PER_SECOND);
    }
}

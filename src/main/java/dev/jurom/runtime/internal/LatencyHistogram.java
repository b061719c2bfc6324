// SPDX-License-Identifier: Apache-2.0
package dev.jurom.runtime.internal;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A log-linear histogram of the latencies of timed commands: the first 8 buckets are one tick wide,
 * and each power of two above is divided into 8 buckets, so the middle of a bucket is at most one
 * sixteenth off.
 */
public final class LatencyHistogram {

    private static final int BITS = 3;
    private static final int PER_POWER = 1 << BITS;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long[] counts;
    private final long ticksPerSecond;

    /**
     * Creates a histogram.
     *
     * @param counts the counts of the buckets, which are copied
     * @param ticksPerSecond the rate of the clock of the buckets, at least 1
     */
    public LatencyHistogram(long[] counts, long ticksPerSecond) {
        this.counts = counts.clone();
        this.ticksPerSecond = ticksPerSecond;
    }

    /**
     * Returns the lower bound of a bucket.
     *
     * @param bucket the index of the bucket
     * @return the number of ticks
     */
    public static long lowest(int bucket) {
        if (bucket < PER_POWER) {
            return bucket;
        }
        var shift = (bucket >> BITS) - 1;
        return (long) (PER_POWER + (bucket & PER_POWER - 1)) << shift;
    }

    /**
     * Returns the number of timed commands.
     *
     * @return the sum of all buckets
     */
    public long count() {
        return Arrays.stream(counts).sum();
    }

    /**
     * Returns the difference from an earlier state of this histogram.
     *
     * @param earlier the earlier state
     * @return the difference, with 0 for negative counts
     */
    public LatencyHistogram since(LatencyHistogram earlier) {
        var difference = IntStream.range(0, counts.length)
                .mapToLong(i -> Math.max(0, counts[i] - earlier.counts[i]))
                .toArray();
        return new LatencyHistogram(difference, ticksPerSecond);
    }

    /**
     * Returns a percentile of the latencies.
     *
     * @param percent the percentage of the timed commands, 0 to 100
     * @return the middle of the bucket in nanoseconds; 0 if no command was timed
     */
    public long percentile(double percent) {
        var rank = Math.max(1, Math.ceil(count() * percent / 100));
        var seen = 0L;
        for (var bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (counts[bucket] > 0 && seen >= rank) {
                return nanos(lowest(bucket) + (lowest(bucket + 1) - lowest(bucket)) / 2.0);
            }
        }
        return 0;
    }

    /**
     * Returns an upper bound of the latencies.
     *
     * @return the end of the highest bucket in use, in nanoseconds; 0 if no command was timed
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

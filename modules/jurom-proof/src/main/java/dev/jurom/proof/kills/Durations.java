// SPDX-License-Identifier: Apache-2.0
package dev.jurom.proof.kills;

import java.util.Locale;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** A histogram of durations. This class is thread-safe. */
final class Durations {

    private final ConcurrentSkipListMap<Long, AtomicLong> counts = new ConcurrentSkipListMap<>();

    void add(long nanos) {
        counts.computeIfAbsent(nanos, _ -> new AtomicLong()).incrementAndGet();
    }

    long count() {
        return counts.values().stream().mapToLong(AtomicLong::get).sum();
    }

    /** Returns a quantile in nanoseconds, or 0 if there are no durations. */
    long quantile(double share) {
        var left = (long) Math.ceil(share * count());
        for (var entry : counts.entrySet()) {
            left -= entry.getValue().get();
            if (left <= 0) {
                return entry.getKey();
            }
        }
        return 0;
    }

    long max() {
        return counts.isEmpty() ? 0 : counts.lastKey();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "p50 %s, p99 %s, max %s ms", millis(quantile(0.5)), millis(quantile(0.99)), millis(max()));
    }

    /** Formats nanoseconds as milliseconds, with two decimals below 10 ms. */
    static String millis(long nanos) {
        var value = nanos / 1e6;
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.0f", value);
    }
}
